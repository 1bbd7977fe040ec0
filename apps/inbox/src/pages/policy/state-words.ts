import { isEdited, type PolicyDraft } from "./draft.ts"
import type { PreviewState } from "./review/preview-state.ts"

/** How the text stands, beside the buttons that save and discard it. */
export function stateWords(draft: PolicyDraft, { state }: Pick<PreviewState, "state">, inForce: boolean): string {
  if (!isEdited(draft)) {
    const saved = inForce ? "Saved" : "Saved; not all of it is in effect"
    if (draft.aside === null) return saved
    return draft.isDiscarded
      ? `${saved}. What you discarded stays below until you leave this page`
      : `${saved}. Your own text stands below and is not saved`
  }
  if (state === "failed") return "Not saved; could not be checked"
  return state === "shown" ? "Not saved" : "Not saved; checking…"
}
