import type { TextProblem } from "@byleave/api"
import { offsetOf } from "../text-lines.ts"
import { isGap, scalarAt } from "./yaml-scalar.ts"

/** Returns the part of the text a problem is about: the word at its column, or else its line; null where it is about the whole. */
export function problemRange(
  text: string,
  { line, column }: Pick<TextProblem, "line" | "column">,
): { readonly from: number; readonly to: number } | null {
  if (line === null) return null
  const start = offsetOf(text, line)
  const end = offsetOf(text, line, Number.MAX_SAFE_INTEGER)
  const shown = text.slice(start, end)
  const first = start + (shown.length - shown.trimStart().length)
  const last = start + shown.trimEnd().length
  const from = column === null ? first : Math.max(first, offsetOf(text, line, column))
  if (from >= last) return { from: Math.min(first, last), to: last }
  const isDash = text[from] === "-" && isGap(text, from + 1)
  const to = column === null ? last : isDash ? from + 1 : scalarAt(text, from, true).to
  return { from, to: Math.min(last, Math.max(to, from + 1)) }
}
