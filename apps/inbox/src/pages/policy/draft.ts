/** The text somebody is editing, and what became of the file meanwhile. Nothing that was typed is ever lost by itself. */

export type SavedPolicy = { readonly text: string; readonly version: string }

export type PolicyDraft = {
  /** The state of the file the editing began from; saving names its version. */
  readonly base: SavedPolicy
  readonly text: string
  /** The text that somebody else saved since; null while nobody did. */
  readonly theirs: SavedPolicy | null
  /** A text of ours that was put aside. */
  readonly aside: string | null
  /** Text that was put aside was discarded by choice: leaving the page loses nothing that anybody wants. */
  readonly isDiscarded: boolean
}

export type DraftEvent =
  | { readonly type: "typed"; readonly text: string }
  /** The file as the service has it now. */
  | { readonly type: "read"; readonly saved: SavedPolicy }
  | { readonly type: "saved"; readonly saved: SavedPolicy; readonly sent: string }
  /** Go on with ours, over theirs: what is saved next replaces theirs, and says so in its review. */
  | { readonly type: "kept ours" }
  | { readonly type: "took theirs" }
  | { readonly type: "took back" }
  | { readonly type: "dropped aside" }
  /** Back to the file as it is; what was typed is put aside. */
  | { readonly type: "undone" }

export function newDraft(base: SavedPolicy): PolicyDraft {
  return { base, text: base.text, theirs: null, aside: null, isDiscarded: false }
}

export function isEdited({ base, text }: PolicyDraft): boolean {
  return text !== base.text
}

/** Leaving would lose something: what is typed, or what was put aside for somebody else's text. */
export function isAtRisk(draft: PolicyDraft): boolean {
  return isEdited(draft) || (draft.aside !== null && !draft.isDiscarded)
}

export function nextDraft(draft: PolicyDraft, event: DraftEvent): PolicyDraft {
  switch (event.type) {
    case "typed":
      return { ...draft, text: event.text }
    case "read":
      return afterRead(draft, event.saved)
    case "saved":
      return afterSaved(draft, event.saved, event.sent)
    case "kept ours":
      return draft.theirs === null ? draft : { ...draft, base: draft.theirs, theirs: null }
    case "took theirs":
      return draft.theirs === null ? draft : { ...newDraft(draft.theirs), aside: draft.text }
    case "took back":
      return draft.aside === null ? draft : { ...draft, text: draft.aside, aside: draft.text }
    case "dropped aside":
      return { ...draft, aside: null }
    case "undone":
      return isEdited(draft) ? { ...draft, text: draft.base.text, aside: draft.text, isDiscarded: true } : draft
  }
}

function afterRead(draft: PolicyDraft, saved: SavedPolicy): PolicyDraft {
  if (saved.version === draft.base.version) return { ...draft, theirs: null }
  if (!isEdited(draft) || saved.text === draft.text)
    return { ...newDraft(saved), aside: draft.aside, isDiscarded: draft.isDiscarded }
  return { ...draft, theirs: saved }
}

/** Text typed while the saving was under way stays, as an edit of the saved text. */
function afterSaved(draft: PolicyDraft, saved: SavedPolicy, sent: string): PolicyDraft {
  return { ...draft, base: saved, text: draft.text === sent ? saved.text : draft.text, theirs: null }
}
