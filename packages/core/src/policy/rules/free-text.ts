import type { JsonValue } from "../../call/json/json.ts"
import { keySegments } from "../conditions/argument-key.ts"
import { hasSeparators } from "../decide/names-place.ts"
import { isNamedAsProse, wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"

/**
 * Whether a rule may leave a text open: it is for people or files, the name of something within an object, or, of a read, what it looks for; by its key,
 * and by all that was given under it, which leads nowhere.
 */
export function isFreeText(key: string, values: readonly JsonValue[], isRead: boolean): boolean {
  const segments = keySegments(key)
  const name = segments.at(-1) ?? ""
  // A pattern such as `**/*.md` starts where the call itself does.
  if (isRead && lastWordIn(name, patternWords)) return values.every((text) => !leadsElsewhere.test(String(text)))
  const isOpen = isNamedAsProse(name) || isNameWithin(segments) || (isRead && lastWordIn(name, searchWords))
  return isOpen && !hasSeparators(values)
}

/** `entities.name`, `observations.entityName`: what an agent calls things. At the top, a name may well be a file's or a person's. */
function isNameWithin(segments: readonly string[]): boolean {
  const last = nameWords(segments.at(-1) ?? "").at(-1)
  return segments.length > 1 && (last === "name" || last === "names")
}

function lastWordIn(name: string, words: ReadonlySet<string>): boolean {
  return words.has(nameWords(name).at(-1) ?? "")
}

const searchWords = wordSet("query queries q search term terms keyword keywords name names")
const patternWords = wordSet("pattern patterns glob globs regex")
const leadsElsewhere = /^[\s"'`]*[\\/~]|\.\.|:\/\//
