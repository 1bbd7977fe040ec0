/**
 * The signs by which a word or a text is taken for a file or a host where neither its argument's name nor a separator says so. Names without a sign, such as
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

/** A host's name or number, with or without a port. */
export function isHost(word: string): boolean {
  const host = word.replace(/:\d{1,5}$/, "")
  if (ipv4.test(host) || ipv6.test(word) || host.toLowerCase() === "localhost") return true
  const ending = endingOf(host)
  return ending !== null && /^[a-z]{2,}$/.test(ending) && !fileEndings.has(ending) && !/[^\p{L}\p{N}.@_-]/u.test(host)
}

/** The words of a text that is short enough to be more than prose; quotes, brackets and a sentence's final sign are no part of them. */
export function wordsOf(text: string): readonly string[] {
  const line = text.trim()
  const isText = line.length > longestLine || line.includes("\n")
  if (isText && /\s/.test(line)) return []
  return line.split(/[\s"'`,;=()<>{}]+/).map(bare)
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

/** What stands behind the last dot, in lower case; null for numbers, abbreviations such as `e.g` and what is no name. */
function endingOf(word: string): string | null {
  const dot = word.lastIndexOf(".")
  const [stem, ending] = [word.slice(0, Math.max(0, dot)), word.slice(dot + 1)]
  if (dot < 0 || !/^[a-z][a-z0-9]{0,9}$/i.test(ending) || !/[\p{L}\p{N}*]/u.test(stem)) return null
  return stem.length + ending.length > 2 ? ending.toLowerCase() : null
}

const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const ipv6 = /^\[?[0-9a-f:]*::[0-9a-f:.]*(?:\]:\d{1,5}|\])?$|^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$/i

/** Endings that files rarely have. */
const hostEndings = wordSet(
  "com org net edu gov mil int info biz io ai app dev cloud co example internal local localhost onion test",
)

/** Endings that hosts never have. */
const fileEndings = wordSet(`
  txt pdf doc docx xls xlsx ppt pptx odt csv tsv json jsonl xml yaml yml toml ini cfg conf env log html htm css scss js mjs cjs jsx ts mts cts tsx
  vue java kt go rb php lua sql sqlite db lock tmp bak gz tar tgz jar png jpg jpeg gif svg webp ico mp3 wav avi pem key crt pfx exe dll ipynb`)
