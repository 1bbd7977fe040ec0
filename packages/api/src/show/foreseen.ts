import type { FileChange, TextEdit } from "./file-change.ts"

/** What a file would hold after a change, as far as that can be told. */
export type Foreseen =
  | { readonly kind: "told"; readonly text: string; readonly isDoubtful: boolean }
  | { readonly kind: "not-there"; readonly edit: number }
  | { readonly kind: "untold" }

/** `isDoubtful`: a text to be replaced stands there more than once, and which one is meant is up to the server. */
export function foreseen(change: FileChange, current: string): Foreseen {
  const [first] = change.edits
  if (change.how === "write" && first !== undefined) return { kind: "told", text: first.after, isDoubtful: false }
  return change.how === "edit" ? edited(change.edits, current) : { kind: "untold" }
}

function edited(edits: readonly TextEdit[], current: string): Foreseen {
  let text = current
  let isDoubtful = false
  for (const [at, { before, after, everywhere }] of edits.entries()) {
    const place = before === null || before === "" ? -1 : text.indexOf(before)
    if (before === null || place < 0) return { kind: "not-there", edit: at + 1 }
    isDoubtful ||= !everywhere && text.indexOf(before, place + 1) >= 0
    text = everywhere
      ? text.replaceAll(before, () => after)
      : text.slice(0, place) + after + text.slice(place + before.length)
  }
  return { kind: "told", text, isDoubtful }
}
