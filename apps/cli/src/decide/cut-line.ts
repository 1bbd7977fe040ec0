import { widthOf } from "./wrap-line.ts"

/** How many columns a line without colours takes at most. */
export function lineWidth(line: string): number {
  let width = 0
  for (const letter of line) width += widthOf(letter)
  return width
}

/** The beginning of a line without colours, as wide as there is room; `…` says that more was there. */
export function cutLine(line: string, columns: number): string {
  let width = 0
  let end = 0
  let cut = 0
  for (const letter of line) {
    width += widthOf(letter)
    if (width > columns) return `${line.slice(0, cut)}…`
    end += letter.length
    // The text up to here still leaves room for the sign.
    if (width < columns) cut = end
  }
  return line
}
