let newest = ""
let newestWords: readonly string[] = []

/**
 * The words of a name in snake_case, kebab-case, camelCase or a mixture, in lower case: `k8s_listPods` is k8s, list, pods. An argument's name is asked about
 * many times in a row, so the newest is kept.
 */
export function nameWords(name: string): readonly string[] {
  // Most names of arguments are one word, and are asked about with every call.
  if (oneWord.test(name)) return [name]
  if (name !== newest) {
    newestWords = wordsOf(name)
    newest = name
  }
  return newestWords
}

const oneWord = /^[a-z]+$/

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())
}
