import type { Draft } from "../composer/draft.ts"

const longestTitle = 120

/** The first words of a thread's first message, or the file that came without any. */
export function threadTitle({ text, files, pictures }: Draft): string {
  const words = text.trim().replaceAll(/\s+/g, " ") || (files[0]?.name ?? pictures[0]?.name ?? "")
  return words.length > longestTitle ? `${words.slice(0, longestTitle - 1).toWellFormed()}…` : words
}
