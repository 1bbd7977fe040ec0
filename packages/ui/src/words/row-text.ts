import { firstCharacters } from "@byleave/core"

/** No row has room for more, and thousands of letters in each would make a list slow. */
export const longestInRow = 200
const endCharacters = 40

/** A name as a list shows it: its beginning and its end. The card has all of it. */
export function rowText(text: string): string {
  if (text.length <= longestInRow) return text
  const end = text.slice(-endCharacters)
  return `${firstCharacters(text, longestInRow - endCharacters)}…${end.isWellFormed() ? end : end.slice(1)}`
}
