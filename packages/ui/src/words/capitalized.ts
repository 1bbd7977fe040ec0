/** Words that begin a sentence: the first letter is a capital. */
export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
