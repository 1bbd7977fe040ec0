/** The number of the line that an offset is on, from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n"
}

/** The offset at which the line of `offset` ends, before its line break. */
export function endOfLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset)
  if (at < 0) return text.length
  return text[at - 1] === "\r" ? at - 1 : at
}
