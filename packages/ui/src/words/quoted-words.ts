import { firstCharacters } from "@byleave/core"

/** Everything that reads like the end of a quotation. */
const marks = /(?<!\\)(?:\\*["“”„‟＂❝❞〝〞〟«»]|\\+$)/g

/**
 * Words of others in quotes, as part of a sentence of ours: at most so many characters of them. They cannot end the quotation they stand in:
 * quotes of any kind in them are escaped, and backslashes where they stand before one.
 */
export function quotedWords(text: string, most: number): string {
  const shown = firstCharacters(text, most)
  const escaped = shown.replace(marks, (found) => found.replace(/./g, "\\$&"))
  return `“${escaped}${shown.length < text.length ? "…" : ""}”`
}

/** One word, or a program and its version. */
const plain = /^[^\s"“”„‟＂❝❞〝〞〟«»]+(?: v?\d[\w.+-]*)?$/u

/** Whether a name cannot pass for words of ours as it is. */
export function isPlainName(name: string, most: number): boolean {
  return name.length <= most && plain.test(name)
}
