import { holdsNamedSecret } from "./named-secret.ts"
import { isSecretKey } from "./secret-key.ts"

/** Whether a value should be taken for a secret, by the name it stands under or by its own shape. Errs towards yes. */
export function looksSecret(key: string, value: string): boolean {
  return value !== "" && (isSecretKey(key) || holdsSecret(value))
}

/** Tried at the beginning of each unbroken run of characters only, so that a hostile text cannot make it slow. */
const shapes: readonly RegExp[] = [
  /^sk-[\w-]{16,}/,
  /^(?:sk|rk|pk)_(?:live|test)_\w{10,}/,
  /^gh[opsur]_\w{20,}/,
  /^github_pat_\w{20,}/,
  /^glpat-[\w-]{16,}/,
  /^xox[abeoprs]-[\w-]{10,}/,
  /^(?:AKIA|ASIA)[0-9A-Z]{16}/,
  /^AIza[\w-]{30,}/,
  /^(?:npm|hf|pypi|dop_v1|shpat)_?-?\w{24,}/,
  /^SG\.[\w-]{16,}\.[\w-]{16,}/,
  /^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
]

/** A text longer than this is worth a look for its size alone. */
const longestSearched = 262_144

/** No shape below is shorter. */
const shortestSecret = 7

function holdsSecret(whole: string): boolean {
  if (whole.length < shortestSecret) return false
  const value = whole.slice(0, longestSearched)
  if (value.includes("PRIVATE KEY-----")) return true
  if (/^(?:bearer|basic)\s+\S{8,}/i.test(value)) return true
  if (/:\/\/[^\s/@:]*:[^\s/@]+@/.test(value)) return true
  if (holdsNamedSecret(value)) return true
  // Without `=`: in `KEY=value` the value begins a run of its own.
  for (const [run] of value.matchAll(/[\w.~+-]{20,}/g)) {
    if (isTokenShaped(run)) return true
  }
  return false
}

/** Whether an unbroken run of characters has a token's form. */
export function isTokenShaped(run: string): boolean {
  return shapes.some((shape) => shape.test(run)) || isRandom(run)
}

const shortestRandom = 32
const longestRandom = 512
const randomBitsPerCharacter = 4

/** Long, without words, of mixed letters and digits. Plain hexadecimal is left alone: it is mostly checksums and ids. */
function isRandom(run: string): boolean {
  if (run.length < shortestRandom || run.length > longestRandom) return false
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run) || (run.match(/\d/g)?.length ?? 0) < 3) return false
  if (/[a-z]{8}|[A-Z]{8}/.test(run)) return false
  return bitsPerCharacter(run) >= randomBitsPerCharacter
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
