import type { JsonValue } from "../json/json.ts"
import { firstCharacters } from "./first-characters.ts"
import { showText } from "./show-text.ts"

const longestQuoted = 200

/**
 * Marks that read like the end of a quotation, besides `"`: what Unicode calls a quotation mark or confusable with two apostrophes, and what else
 * is drawn as two strokes or two angles.
 */
const otherDoubles = [
  String.raw`\u00ab\u00bb\u02ba\u02dd\u02ee\u02f5\u02f6\u05f2\u05f4\u1426\u1cd3\u201c-\u201f\u2033\u2034\u2036\u2037\u2057\u226a\u226b`,
  String.raw`\u275d\u275e\u2760\u27ea\u27eb\u2e42\u3003\u300a-\u300f\u301d-\u301f\u309b\ufe41-\ufe44\uff02\uff62\uff63\uff9e\u{1f676}-\u{1f678}`,
].join("")
/** Two of these in a row read like one of those: what Unicode calls confusable with an apostrophe, and single quotation marks. */
const singles = [
  String.raw`'\u0060\u00b4\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u02f4\u0374\u0384\u055a\u055d\u05d9\u05f3\u07f4\u07f5\u144a\u16cc\u1fbd`,
  String.raw`\u1fbf\u1fef\u1ffd\u1ffe\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\u275f\ua78c\uff07\uff40\u{16f51}\u{16f52}`,
].join("")
const run = String.raw`[${singles}](?:\p{M}*\\*[${singles}])+`
const ends = new RegExp(String.raw`(?<!\\)(?:\\*(?:["${otherDoubles}]|${run})|\\+$)`, "gu")
const otherEnds = new RegExp(`[${otherDoubles}]|${run}`, "gu")
const eachMark = new RegExp(`["${otherDoubles}${singles}]`, "gu")
const eachMarkOrSlash = new RegExp(String.raw`["${otherDoubles}${singles}\\]`, "gu")

/** A text that cannot end the quotation it stands in: quotes of any kind in it are escaped, and backslashes where they stand before one. */
export function withoutEnds(text: string): string {
  return text.replace(ends, (found) => found.replace(eachMarkOrSlash, "\\$&"))
}

/** A name or text that somebody else chose, as part of a sentence of ours. It cannot end the quotation that it stands in. */
export function quoted(text: string, most = longestQuoted): string {
  const shown = firstCharacters(text, most)
  return `"${withoutEnds(showText(shown))}${shown.length < text.length ? "…" : ""}"`
}

/** JSON in which nothing but their ends reads like the end of the texts in it. What is hidden in them stays as it is. */
export function unambiguousJson(value: JsonValue): string {
  return JSON.stringify(value).replace(otherEnds, (found) => found.replace(eachMark, "\\$&"))
}

/** JSON within a sentence of ours. */
export function shownJson(value: JsonValue): string {
  return showText(unambiguousJson(value))
}

/** ASCII letters, digits, and the signs of paths and patterns. Words of other scripts need no spaces to be a sentence. */
const oneWord = /^[\w\\.@/:+()*[\]!?{}~%#&=$-]+$/

/** Whether a name is one word, which passes neither for more of our words nor for the end of a quotation. */
export function isOneWord(name: string): boolean {
  return oneWord.test(name)
}

/** A name within a sentence of ours: in quotes unless it is one word, or where it is cut. */
export function shownName(name: string, most = longestQuoted): string {
  return isOneWord(name) && name.length <= most ? name : quoted(name, most)
}

/** A name within a sentence, whole: two that begin alike are told apart, however long they are. */
export function wholeName(name: string): string {
  return shownName(name, Number.POSITIVE_INFINITY)
}
