type PressedKey = {
  readonly key: string
  readonly ctrl: boolean
  readonly meta: boolean
  readonly alt: boolean
  /** Typed into a field. */
  readonly inField: boolean
  /** A dialog or menu stands before the page. */
  readonly hasDialog: boolean
}

/** A plain key meant for the page itself, or null: not one typed into a field, with a modifier, or before a dialog. */
export function pageKey(pressed: PressedKey): string | null {
  if (pressed.ctrl || pressed.meta || pressed.alt || pressed.hasDialog) return null
  if (pressed.inField) return pressed.key === "Escape" ? "Escape" : null
  return pressed.key
}

type KeyHelp = { readonly keys: readonly string[]; readonly does: string }

/** All keys of the page, for whoever asks. */
export const keyHelp: readonly KeyHelp[] = [
  { keys: ["j", "k"], does: "next or previous waiting call (or use the arrow keys)" },
  { keys: ["Enter"], does: "open the call" },
  { keys: ["x"], does: "select or deselect the call; Shift-click selects a range" },
  { keys: ["f"], does: "fold or unfold the calls of the same tool or session" },
  { keys: ["n", "p"], does: "next or previous change in a diff" },
  { keys: ["Ctrl/Cmd + Enter"], does: "allow the open call once" },
  { keys: ["Ctrl/Cmd + Backspace"], does: "deny the open call, with an optional reason" },
  { keys: ["a", "d"], does: "in a review: allow or deny the file; nothing is sent yet" },
  { keys: ["c"], does: "in a review: comment on the current line (the arrow keys move)" },
  { keys: ["s"], does: "in a review: check your decisions, then send" },
  { keys: ["Esc"], does: "close what is open; never makes a decision" },
  { keys: ["Ctrl/Cmd + K"], does: "find a page, a waiting call, a session or a server" },
  { keys: ["/"], does: "search" },
  { keys: ["?"], does: "show this list" },
]
