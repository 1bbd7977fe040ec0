/** JSON that is no text, and the words that stand in place of a value that is not there or not shown. */
const otherValue =
  /^\s*(?:(?:true|false|null|missing|empty|empty text|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?)\s*$|[[{"]|hidden\b|\(secret\b|‹(?:hidden|secret)\b)/i

/** A text that is shown where values of other kinds are, too: in quotes where it would pass for one of them, such as `"false"`. */
export function textAmongValues(text: string): string {
  return otherValue.test(text) ? `"${text}"` : text
}
