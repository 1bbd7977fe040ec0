import { firstCharacters, isOneWord, withoutEnds } from "@byleave/core"

/** Words of others in quotes, as part of a sentence of ours: at most so many characters of them. They cannot end the quotation they stand in. */
export function quotedWords(text: string, most: number): string {
  const shown = firstCharacters(text, most)
  return `“${withoutEnds(shown)}${shown.length < text.length ? "…" : ""}”`
}

/** Whether a name cannot pass for words of ours as it is: one word, or a program and its version. */
export function isPlainName(name: string, most: number): boolean {
  const [, word = ""] = /^([^ ]*)(?: v?\d[\w.+-]*)?$/.exec(name) ?? []
  return name.length <= most && isOneWord(word)
}
