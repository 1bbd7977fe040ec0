import { widthOf } from "./wrap-line.ts"

/** The beginning of a line without colours, as wide as there is room; `…` says that more was there. */
export function cutLine(line: string, columns: number): string {
  let width = 0
  let end = 0
  let cut = 0
  for (const letter of line) {
    width += widthOf(letter)
    if (width > columns) return `${line.slice(0, cut)}…`
    end += letter.length
    // What still leaves room for the sign.
    if (width < columns) cut = end
  }
  return line
}
