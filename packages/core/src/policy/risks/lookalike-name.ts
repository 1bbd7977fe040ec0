/**
 * Names that pass for others. Told by alphabets and by the other names there are: no list of letters that look alike is kept.
 *
 * I1. A name of one alphabet in its usual letters is no lookalike, unless there is another name that it passes for.
 */
import { normalizeText } from "../../call/text/normalize-text.ts"
import { shownName } from "../../call/text/quoted.ts"
import { showText } from "../../call/text/show-text.ts"

const ascii = /^[ -~]*$/

/** A warning about a tool's name, compared with the other names of its server; null if the name can be read as it is. */
export function lookalikeName(name: string, others: () => readonly string[]): string | null {
  if (ascii.test(name)) return otherwiseSpelt(name, others)
  const letters = [...name]
  const twin = others().find((other) => passesFor(letters, [...other]))
  const odd = oddLetters(letters)
  if (twin === undefined) return odd.length === 0 ? null : `mixes letters that look alike: ${listed(odd)}`
  const beyond = letters.filter((letter) => !ascii.test(letter))
  return `looks like ${shownName(twin)}, another tool of the same server, but with different letters: ${listed(beyond)}`
}

/** A warning about an address or a value: a word in it that mixes alphabets; null if there is none. */
export function mixedLetters(text: string): string | null {
  if (ascii.test(text)) return null
  const words = (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => /[A-Za-z]/.test(word))
  const odd = words.flatMap((word) => oddLetters([...word]))
  return odd.length === 0 ? null : `mixes letters that look alike: ${listed(odd)}`
}

function otherwiseSpelt(name: string, others: () => readonly string[]): string | null {
  if (!/[A-Z ]/.test(name)) return null
  const twin = others().find((other) => other !== name && folded(other) === folded(name))
  if (twin === undefined) return null
  return `looks like ${shownName(twin)}, another tool of the same server: only spaces or capitalization differ`
}

function folded(name: string): string {
  return name.replaceAll(" ", "").toLowerCase()
}

/** Letters of another alphabet among Latin ones, and letters that are only another form of usual ones. */
function oddLetters(letters: readonly string[]): readonly string[] {
  const hasLatin = letters.some((letter) => /\p{Script=Latin}/u.test(letter))
  return letters.filter((letter) => {
    if (!/\p{L}/u.test(letter) || ascii.test(letter)) return false
    return normalizeText(letter, "NFKC") !== letter || (hasLatin && !readBesideLatin.test(letter))
  })
}

/** These stand beside Latin letters in ordinary names, and none of them looks like one. */
const readBesideLatin =
  /\p{Script=Latin}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}/u

/** The same but for letters beyond ASCII; of names that share too little, nothing is said. */
function passesFor(letters: readonly string[], other: readonly string[]): boolean {
  if (letters.length !== other.length) return false
  const same = letters.filter((letter, at) => letter === other[at]).length
  const isFree = (letter: string, at: number): boolean => letter === other[at] || !ascii.test(letter)
  return same < letters.length && same * 2 >= letters.length && letters.every(isFree)
}

const mostListed = 5

function listed(letters: readonly string[]): string {
  const different = [...new Set(letters)]
  const shown = different.slice(0, mostListed).map((letter) => `${showText(letter)} (${codeOf(letter)})`)
  return `${shown.join(", ")}${different.length > mostListed ? " and others" : ""}`
}

function codeOf(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
}
