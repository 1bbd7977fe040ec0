/** A text, or a part of it, without the blanks and tabs around it: the only white space a header may hold. `trim()` takes more. */
export function trimBlanks(lines: string, from = 0, to = lines.length): string {
  while (from < to && isBlank(lines.charCodeAt(from))) from++
  while (to > from && isBlank(lines.charCodeAt(to - 1))) to--
  return lines.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
