/**
 * Whether a call's arguments name a path or an address, in whatever form a server might read as one. It goes by signs, and errs towards yes: where it is
 * asked, a no makes a call run that nobody looked at.
 *
 * I1. Names of members are looked at like values.
 * I2. A program may lead anywhere.
 * I3. Text for people or files is a place only where it is nothing else, a single word, or holds a path from the root. A pattern, a patch or a
 *     template is no such text: it is carried out.
 * I4. Elsewhere a file's name, a host and a number of one are places without any separator.
 * I5. What there is no work left to look through names one.
 */
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { keyOf } from "../conditions/argument-key.ts"
import { type JudgingWork, mostWork, tookWork } from "../conditions/judging-work.ts"
import { namesAddress, namesPath, namesProgram, namesProse, saysWhatIsDone, wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"
import { addressReadings, mostReadings, namesHost } from "./names-host.ts"
import { hasAbsolutePath, isFileName, isLine, wordsOf } from "./place-signs.ts"

export type PlaceKind = "paths" | "urls"

/** `held`: dotted keys of arguments that are known to be where they may. */
export function namesPlace(kind: PlaceKind, args: JsonObject, held: ReadonlySet<string>, work: JudgingWork): boolean {
  return someText(args, [], held, kind === "paths" ? isPath : isAddress, work)
}

/** Whether a separator or a scheme stands in the values, or in names of members: less than what makes a call ask. */
export function hasSeparators(values: readonly JsonValue[]): boolean {
  const work = { workLeft: mostWork }
  const isSeparated = (_: string, text: string): boolean => hasPathSigns.test(text) || hasScheme.test(text)
  return values.some((value) => someText(value, [], new Set(), isSeparated, work))
}

/**
 * In units of work: to look at a value, for each of its characters and of the names that lead to it, and for each word that may be a name. To read
 * a character for addresses, once, and to look for hosts in a line, of which each second character may be one.
 */
const cost = { value: 200, character: 5, word: 50, reading: 10, host: 100 } as const

function someText(
  value: JsonValue,
  segments: readonly string[],
  held: ReadonlySet<string>,
  isPlace: (name: string, text: string, work: JudgingWork) => boolean,
  work: JudgingWork,
): boolean {
  const characters = segments.reduce((sum, { length }) => sum + length, typeof value === "string" ? value.length : 0)
  if (!tookWork(work, cost.value + cost.character * characters)) return true
  if (held.has(keyOf(segments))) return false
  if (typeof value === "string") return isPlace(segments.at(-1) ?? "", value, work)
  if (typeof value !== "object" || value === null || isRawNumber(value)) return false
  if (Array.isArray(value)) return value.some((item) => someText(item, segments, held, isPlace, work))
  return Object.entries(value).some(
    ([member, inner]) =>
      !tookWork(work, cost.character * member.length) ||
      isPlace("", member, work) ||
      someText(inner, [...segments, member], held, isPlace, work),
  )
}

function isPath(name: string, text: string, work: JudgingWork): boolean {
  if (namesPath(name) || namesProgram(name)) return true
  if (isProse(name, text)) return hasAbsolutePath(text)
  if (webAddress.test(text)) return false
  return hasPathSigns.test(text) || (!isPersonsAddress(name, text) && someWord(text, isFileName, work))
}

function isAddress(name: string, text: string, work: JudgingWork): boolean {
  if (namesAddress(name) || namesProgram(name) || nameWords(name).some((word) => hostWords.has(word))) return true
  if (isProse(name, text)) return false
  if (!tookWork(work, cost.reading * text.length * (text.includes("%") ? mostReadings : 1))) return true
  return addressReadings(text).some(
    (reading) => hasScheme.test(reading) || (!isPersonsAddress(name, reading) && someHost(reading, work)),
  )
}

function someHost(text: string, work: JudgingWork): boolean {
  return !tookWork(work, isLine(text) ? cost.host * text.length : 0) || namesHost(text)
}

function someWord(text: string, isName: (word: string) => boolean, work: JudgingWork): boolean {
  const words = wordsOf(text)
  return !tookWork(work, cost.word * words.length) || words.some(isName)
}

/** More than one word. */
function isProse(name: string, text: string): boolean {
  return namesProse(name) && !saysWhatIsDone(name) && /\S\s+\S/.test(text)
}

/** `to: "ann@example.com"` names a person; under another name it may be a user and a host. */
function isPersonsAddress(name: string, text: string): boolean {
  return /^[^\s@:]+@[^\s@:\\/?#|&]+$/.test(text) && nameWords(name).some((word) => personWords.has(word))
}

/** A separator, a name that leads up, what shells expand, a drive. */
const hasPathSigns = /[\\/~$%]|\.\.|^\W*[a-z]:/i
const webAddress = /^https?:\/\/[^\s\\]+$/i
/** Readers of addresses take `https:host` and `https:\\\\host` for the usual form. */
const hasScheme = /\b(?:https?|wss?|ftps?|sftp|ssh|git|gopher|data|mailto|ldaps?):|:\/\/|^\W*[\\/]{2}|\\\\/i
const hostWords = wordSet("host hosts hostname domain domains link links server origin proxy address ip")
const personWords = wordSet(`
  email emails mail to cc bcc from reply sender recipient recipients attendee attendees assignee assignees author user users owner member members
  username person people contact participant participants`)
