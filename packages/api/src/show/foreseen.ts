/**
 * The content of a file after a change, predicted for those who show the change in the file.
 *
 * I1. Servers read line ends differently: some leave them, some make `\n` of them, in the file and in the edits. Content is told only where every
 *     reading comes to the same text.
 * I2. Servers find the text to replace exactly, or but for blanks at the ends of its lines. Content is told only where one place fits.
 * I3. Nothing is told of a change with a flag: its texts may mean something else than they say.
 * I4. Servers that replace by JavaScript's `replace` take `$$`, `$&`, `` $` `` and `$'` in a new text for something else. Content is told only without them.
 */
import type { FileChange, TextEdit } from "./file-change.ts"

/** The predicted content of a file after a change, as far as it can be told. */
export type Foreseen =
  | {
      readonly kind: "told"
      readonly text: string
      /** The edits touch each other: made all at once instead of one after the other, they leave another text. */
      readonly isByOrder: boolean
      /** The server may write other line ends than the ones told, in the whole file. */
      readonly mayChangeLineEnds: boolean
    }
  | { readonly kind: "not-there"; readonly edit: number }
  /** The text to replace fits several places; which one is meant is up to the server. */
  | { readonly kind: "several-places"; readonly edit: number }
  /** Some servers make another text of it than others, by how they read this. */
  | { readonly kind: "servers-differ"; readonly over: "line-ends" | "dollar-signs" }
  /** The edits are too many, or make too much of it. */
  | { readonly kind: "too-much" }
  | { readonly kind: "untold" }

export function foreseen(change: FileChange, current: string): Foreseen {
  const [first] = change.edits
  if (change.flag !== undefined) return { kind: "untold" }
  if (change.how === "write" && first !== undefined) {
    return { kind: "told", text: first.after, isByOrder: false, mayChangeLineEnds: false }
  }
  return change.how === "edit" ? editedInEachReading(change.edits, current) : { kind: "untold" }
}

/** The line ends that some servers make `\n` of; others leave all of them. */
const lineEndReadings = [/\r\n/g, /\r\n?/g] as const

/** What `replace` takes for something else beside a text to replace; `$1` and `$<name>` mean parts of a pattern, and there are none. */
const replacementPattern = /\$[$&`']/

function editedInEachReading(edits: readonly TextEdit[], current: string): Foreseen {
  const asItIs = edited(edits, current)
  if (madeBy(edits, asItIs).some(({ after }) => replacementPattern.test(after)))
    return { kind: "servers-differ", over: "dollar-signs" }
  const texts = [current, ...edits.flatMap(({ before, after }) => [before ?? "", after])]
  if (asItIs.kind === "too-much" || !texts.some((text) => text.includes("\r"))) return asItIs
  const plain = (text: string): string => text.replace(/\r\n?/g, "\n")
  for (const ends of lineEndReadings) {
    const other = edited(
      edits.map((edit) => withLineEnds(edit, ends)),
      current.replace(ends, "\n"),
    )
    if (other.kind === "too-much" || other.kind === "several-places") return other
    const isSame = asItIs.kind === "told" && other.kind === "told" && plain(asItIs.text) === plain(other.text)
    if (!isSame && (asItIs.kind === "told" || other.kind === "told"))
      return { kind: "servers-differ", over: "line-ends" }
  }
  return asItIs.kind === "told" ? { ...asItIs, mayChangeLineEnds: true } : asItIs
}

/** The edits that were made before one could not be. */
function madeBy(edits: readonly TextEdit[], result: Foreseen): readonly TextEdit[] {
  if (result.kind === "told") return edits
  return "edit" in result ? edits.slice(0, result.edit - 1) : []
}

function withLineEnds(edit: TextEdit, ends: RegExp): TextEdit {
  const { before, after } = edit
  return { ...edit, before: before === null ? null : before.replace(ends, "\n"), after: after.replace(ends, "\n") }
}

/** Characters looked through for all edits of a change together; and as many may come of them. */
const mostSearched = 20_000_000
const longestText = 4_000_000

/** Agents choose the edits: a few that double each other make a text of any size, and thousands take minutes. */
function edited(edits: readonly TextEdit[], current: string): Foreseen {
  let text = current
  let searched = 0
  for (const [at, { before, after, everywhere }] of edits.entries()) {
    searched += text.length
    if (searched > mostSearched) return { kind: "too-much" }
    const place = before === null || before === "" ? -1 : text.indexOf(before)
    if (before === null || place < 0) return { kind: "not-there", edit: at + 1 }
    const isRepeated = !everywhere && text.indexOf(before, place + 1) >= 0
    const parts = everywhere ? text.split(before) : [text.slice(0, place), text.slice(place + before.length)]
    if (isRepeated || fitsElsewhere(text, before, parts)) return { kind: "several-places", edit: at + 1 }
    if (text.length + (parts.length - 1) * (after.length - before.length) > longestText) return { kind: "too-much" }
    text = parts.join(after)
  }
  const isByOrder = edits.length > 1 && editedAtOnce(edits, current) !== text
  return { kind: "told", text, isByOrder, mayChangeLineEnds: false }
}

/** Whether lines fit a text but for the blanks at their ends, other lines than those where it stands: between the `parts`. */
function fitsElsewhere(text: string, before: string, parts: readonly string[]): boolean {
  const sought = trimmedLines(before)
  const first = sought.findIndex((line) => line !== "")
  if (first < 0) return false
  const known = new Set<number>()
  let line = first
  for (const part of parts.slice(0, -1)) {
    line += lineEndsIn(part)
    known.add(line)
    line += lineEndsIn(before)
  }
  const lines = `\n${trimmedLines(text).join("\n")}\n`
  const wanted = `\n${sought.join("\n").trim()}\n`
  let found = 0
  for (let from = 0, at = lines.indexOf(wanted); at >= 0; at = lines.indexOf(wanted, at + 1)) {
    found += lineEndsIn(lines.slice(from, at))
    from = at
    if (!known.has(found)) return true
  }
  return false
}

function trimmedLines(text: string): readonly string[] {
  return text.split("\n").map((line) => line.trim())
}

function lineEndsIn(text: string): number {
  return text.split("\n").length - 1
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
