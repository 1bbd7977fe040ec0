/**
 * The signs by which a word or a text is taken for a file where neither its argument's name nor a separator says so. Names without a sign, such as
 * `notes`, pass; so these are for questions, not for limits.
 */
import { wordSet } from "../risks/argument-kind.ts"
import { isSensitiveName } from "../risks/sensitive-name.ts"

/** A file's name: it has an extension, or is known without one. A plain word such as `private` is none. */
export function isFileName(word: string): boolean {
  if (wellKnown.test(word) || (isSensitiveName(word) && !/^\p{L}+$/u.test(word))) return true
  const ending = endingOf(word)
  return ending !== null && !hostEndings.has(ending)
}

/** The words of a text that is short enough to be more than prose. */
export function wordsOf(text: string): readonly string[] {
  const line = text.trim()
  return isLine(line) ? wordsIn(line) : []
}

/** Whether a text without blanks at its ends is one word or a short line. */
export function isLine(text: string): boolean {
  const isText = text.length > longestLine || text.includes("\n")
  return !(isText && /\s/.test(text))
}

/** Quotes, brackets and a sentence's final sign are no part of a word. */
export function wordsIn(text: string): readonly string[] {
  return text.split(/[\s"'`,;=()<>{}]+/).map(bare)
}

function bare(word: string): string {
  return word.replace(/^["'`(<]/, "").replace(/[."'`)>,;!?]{1,3}$/, "")
}

/** Longer lines are texts, in which names stand without leading anywhere. */
const longestLine = 200

/** A path from the root into folders of the system or of a person: `/api/users` in a text is none. */
export function hasAbsolutePath(text: string): boolean {
  return absolutePath.test(text)
}

const absolutePath =
  /(?<![\p{L}\p{N}/.~_-])(?:\/(?:etc|root|proc|sys|var|home|Users|private)\/[^\s/]|~\/[^\s/]|[A-Za-z]:\\[^\s\\])/u

const wellKnown =
  /^(?:(?:make|docker|container|proc|jenkins|vagrant|gem|rake|brew|pip|just|caddy|tilt)file|passwd|shadow|sudoers|crontab|kubeconfig)$/i

/** What stands behind the last dot, in lower case; null for numbers, versions and times, abbreviations such as `e.g` and what is no name. */
function endingOf(word: string): string | null {
  const dot = word.lastIndexOf(".")
  const [stem, ending] = [word.slice(0, Math.max(0, dot)), word.slice(dot + 1)]
  if (dot < 0 || !/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(ending) || !/[\p{L}\p{N}*]/u.test(stem)) return null
  if (numeric.test(word)) return null
  return stem.length + ending.length > 2 ? ending.toLowerCase() : null
}

const numeric = /^[vV]?\d[\dTZ:.+-]*$/
/** Endings that files rarely have. */
const hostEndings = wordSet(
  "com org net edu gov mil int info biz io ai app dev cloud co example internal local localhost onion test",
)
