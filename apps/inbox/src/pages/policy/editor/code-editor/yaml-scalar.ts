/** A text of a YAML file, with its quotes inside `from` and `to` but not in `text`. */
export type YamlScalar = {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly isQuoted: boolean
}

const flowMarks = ",[]{}"

/** Reads the text that begins here; inside `{…}` and `[…]` a comma or bracket ends it. */
export function scalarAt(text: string, from: number, isFlow: boolean): YamlScalar {
  const quote = text[from]
  if (quote === '"' || quote === "'") return quotedAt(text, from, quote)
  let end = from
  for (; end < text.length && text[end] !== "\n"; end += 1) {
    const char = text[end] ?? ""
    const next = text[end + 1] ?? ""
    if (isFlow && flowMarks.includes(char)) break
    if (char === ":" && (isGap(text, end + 1) || (isFlow && flowMarks.includes(next)))) break
    if (char === "#" && end > from && isGap(text, end - 1)) break
  }
  const plain = text.slice(from, end).trimEnd()
  return { text: plain, from, to: from + plain.length, isQuoted: false }
}

/** Reads a quoted text, which may go over lines; without its closing quote it ends with its line. */
function quotedAt(text: string, from: number, quote: string): YamlScalar {
  for (let end = from + 1; end < text.length; end += 1) {
    if (text[end] === "\\" && quote === '"') end += 1
    else if (text[end] === quote && quote === "'" && text[end + 1] === "'") end += 1
    else if (text[end] === quote) return { text: text.slice(from + 1, end), from, to: end + 1, isQuoted: true }
  }
  const to = lineEnd(text, from)
  return { text: text.slice(from + 1, to), from, to, isQuoted: true }
}

/** Says whether a space, a line's end or the text's end is here. */
export function isGap(text: string, offset: number): boolean {
  return offset >= text.length || /\s/.test(text[offset] ?? "")
}

export function afterSpaces(text: string, offset: number): number {
  let next = offset
  while (text[next] === " " || text[next] === "\t") next += 1
  return next
}

export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset)
  return end < 0 ? text.length : end
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1
}
