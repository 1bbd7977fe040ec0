import { firstCharacters } from "./first-characters.ts"
import { showText } from "./show-text.ts"

const longestQuoted = 200

/**
 * A name or text that somebody else chose, as part of a sentence of ours. It cannot end the quotation that it stands in: quotes in it are
 * escaped, and backslashes where they stand before one.
 */
export function quoted(text: string, most = longestQuoted): string {
  const shown = firstCharacters(text, most)
  const escaped = showText(shown).replace(/(?<!\\)(?:\\*"|\\+$)/g, (found) => found.replace(/./g, "\\$&"))
  return `"${escaped}${shown.length < text.length ? "…" : ""}"`
}

/** A name within a sentence of ours: in quotes where it could pass for more of our words. */
export function shownName(name: string): string {
  return /[\s"]/.test(name) ? quoted(name) : showText(name)
}
