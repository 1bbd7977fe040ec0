import { normalizeText } from "../text/normalize-text.ts"

/**
 * The form of a key in which no two keys of an object may be equal. Some readers compare keys without case (Go), some
 * normalise text first; to them the later of two such keys replaces the earlier, and the call that runs is not the one
 * that was judged.
 */
export function foldedKey(key: string): string {
  let isFolded = true
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    if (code > 0x7f) return foldUnicode(key)
    if (code >= 0x41 && code <= 0x5a) isFolded = false
  }
  return isFolded ? key : key.toLowerCase()
}

// Down, up, down: each pair that Unicode folds together meets in one of the steps (ẞ ß ss, K k, ſ s, ς σ Σ).
function foldUnicode(key: string): string {
  return normalizeText(normalizeText(key, "NFD").toLowerCase().toUpperCase().toLowerCase(), "NFD")
}
