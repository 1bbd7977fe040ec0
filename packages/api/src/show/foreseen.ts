import type { FileChange, TextEdit } from "./file-change.ts"

/** The predicted content of a file after a change, as far as it can be told. */
export type Foreseen =
  | {
      readonly kind: "told"
      readonly text: string
      readonly isDoubtful: boolean
      /** The edits touch each other: made all at once instead of one after the other, they leave another text. */
      readonly isByOrder: boolean
    }
  | { readonly kind: "not-there"; readonly edit: number }
  /** The edits are too many, or make too much of it. */
  | { readonly kind: "too-much" }
  | { readonly kind: "untold" }

/** `isDoubtful`: a text to be replaced stands there more than once, and which one is meant is up to the server. */
export function foreseen(change: FileChange, current: string): Foreseen {
  const [first] = change.edits
  if (change.how === "write" && first !== undefined) {
    return { kind: "told", text: first.after, isDoubtful: false, isByOrder: false }
  }
  return change.how === "edit" ? edited(change.edits, current) : { kind: "untold" }
}

/** Characters looked through for all edits of a change together; and as many may come of them. */
const mostSearched = 20_000_000
const longestText = 4_000_000

/** Agents choose the edits: a few that double each other make a text of any size, and thousands take minutes. */
function edited(edits: readonly TextEdit[], current: string): Foreseen {
  let text = current
  let isDoubtful = false
  let searched = 0
  for (const [at, { before, after, everywhere }] of edits.entries()) {
    searched += text.length
    if (searched > mostSearched) return { kind: "too-much" }
    const place = before === null || before === "" ? -1 : text.indexOf(before)
    if (before === null || place < 0) return { kind: "not-there", edit: at + 1 }
    isDoubtful ||= !everywhere && text.indexOf(before, place + 1) >= 0
    const parts = everywhere ? text.split(before) : [text.slice(0, place), text.slice(place + before.length)]
    if (text.length + (parts.length - 1) * (after.length - before.length) > longestText) return { kind: "too-much" }
    text = parts.join(after)
  }
  return { kind: "told", text, isDoubtful, isByOrder: edits.length > 1 && editedAtOnce(edits, current) !== text }
}

/** Longer lists of replaced places are not compared. */
const mostPlaces = 100_000

/** The text after all edits were made to `current` itself; null where they overlap, or are not all found in it. */
function editedAtOnce(edits: readonly TextEdit[], current: string): string | null {
  const places: { readonly start: number; readonly end: number; readonly after: string }[] = []
  for (const { before, after, everywhere } of edits) {
    if (before === null || before === "") return null
    let start = current.indexOf(before)
    if (start < 0) return null
    do {
      places.push({ start, end: start + before.length, after })
      if (places.length > mostPlaces) return null
      start = everywhere ? current.indexOf(before, start + before.length) : -1
    } while (start >= 0)
  }
  places.sort((one, other) => one.start - other.start)
  const parts: string[] = []
  let from = 0
  for (const { start, end, after } of places) {
    if (start < from) return null
    parts.push(current.slice(from, start), after)
    from = end
  }
  return parts.join("") + current.slice(from)
}
