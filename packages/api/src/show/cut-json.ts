import { type JsonValue, readJson } from "@byleave/core"

/**
 * Reads JSON of which the end may be missing: every value that is whole, and the beginning of a text within which it was cut. Undefined: it is
 * no JSON, or two readers could read it differently.
 */
export function readCutJson(text: string): JsonValue | undefined {
  const whole = readJson(text, { values: Number.POSITIVE_INFINITY })
  if (whole.ok) return whole.value
  for (const closed of closings(text)) {
    const read = readJson(closed, { values: Number.POSITIVE_INFINITY })
    if (read.ok) return read.value
  }
  return undefined
}

const closerOf: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["[", "]"],
])

/** The text with its open ends closed: as far as it goes, and up to the last value that is whole. */
function closings(text: string): readonly string[] {
  const open: string[] = []
  let isInText = false
  let end = text.length
  let whole = { at: 0, depth: 0 }
  for (let at = 0; at < end; at++) {
    const letter = text.charAt(at)
    if (isInText) {
      if (letter === '"') isInText = false
      if (letter !== "\\") continue
      const length = text.charAt(at + 1) === "u" ? 6 : 2
      if (at + length > end) end = at
      at += length - 1
    } else if (letter === '"') isInText = true
    else if (letter === ",") whole = { at, depth: open.length }
    else {
      const closer = closerOf.get(letter)
      if (closer !== undefined) open.push(closer)
      else if (letter === open.at(-1)) open.pop()
      else continue
      whole = { at: at + 1, depth: open.length }
    }
  }
  const close = (depth: number): string => open.slice(0, depth).reverse().join("")
  const upTo = text.slice(0, whole.at) + close(whole.depth)
  const asFar = text.slice(0, end).toWellFormed() + (isInText ? '"' : "") + close(open.length)
  // A number that is cut is another number.
  return isInText || /[\]}"]/.test(text.trimEnd().slice(-1)) ? [asFar, upTo] : [upTo]
}
