/** A piece of a line: as it is, or blanks that would go unseen. */
export type SpacePiece = { readonly text: string; readonly isSpace: boolean }

/** The blanks at the end of a line and all blanks of an empty-looking one are set apart. */
export function edgeSpaces(line: string): readonly SpacePiece[] {
  let end = line.length
  while (end > 0 && isBlank(line, end - 1)) end -= 1
  return [
    { text: line.slice(0, end), isSpace: false },
    { text: line.slice(end), isSpace: true },
  ].filter(({ text }) => text !== "")
}

/** All blanks are set apart, wherever they stand. */
export function allSpaces(text: string): readonly SpacePiece[] {
  return text
    .split(/([ \t]+)/)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, isSpace: isBlank(part, 0) }))
}

function isBlank(text: string, at: number): boolean {
  return text[at] === " " || text[at] === "\t"
}

/** Signs that stand for blanks. */
export function spaceSigns(blanks: string): string {
  return blanks.replaceAll(" ", "·").replaceAll("\t", "→\t")
}

/** `2 spaces`, `a tab`; for whoever cannot see the signs. */
export function spaceWords(blanks: string): string {
  const tabs = blanks.split("\t").length - 1
  const spaces = blanks.length - tabs
  return [amount(spaces, "space"), amount(tabs, "tab")].filter((words) => words !== "").join(" and ")
}

function amount(count: number, what: string): string {
  if (count === 0) return ""
  return count === 1 ? `a ${what}` : `${count} ${what}s`
}

/** A text, and the line breaks it ends with. */
export function endBreaks(text: string): readonly [string, string] {
  let end = text.length
  while (end > 0 && text[end - 1] === "\n") end -= 1
  return [text.slice(0, end), text.slice(end)]
}

/** The blanks a text begins and ends with are set apart. */
export function outerSpaces(text: string): readonly SpacePiece[] {
  let start = 0
  while (start < text.length && isBlank(text, start)) start += 1
  return [{ text: text.slice(0, start), isSpace: true }, ...edgeSpaces(text.slice(start))].filter(
    (piece) => piece.text !== "",
  )
}
