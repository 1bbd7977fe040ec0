/**
 * Whether a call's arguments name a path or an address, in whatever form a server might read as one. It goes by signs, and errs towards yes: where it is
 * asked, a no makes a call run that nobody looked at.
 *
 * I1. Names of members are looked at like values.
 * I2. A program may lead anywhere.
 * I3. Text for people or files is a place only where it is nothing else, a single word, or holds a path from the root. A pattern, a patch or a
 *     template is no such text: it is carried out.
 * I4. Elsewhere a file's name, a host and a number of one are places without any separator.
 */
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { keyOf } from "../conditions/argument-key.ts"
import { namesAddress, namesPath, namesProgram, namesProse, saysWhatIsDone, wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"
import { hasAbsolutePath, isFileName, isHost, wordsOf } from "./place-signs.ts"

export type PlaceKind = "paths" | "urls"

/** `held`: dotted keys of arguments that are known to be where they may. */
export function namesPlace(kind: PlaceKind, args: JsonObject, held: ReadonlySet<string>): boolean {
  return someText(args, [], held, kind === "paths" ? isPath : isAddress)
}

/** Whether a separator or a scheme stands in the values, or in names of members: less than what makes a call ask. */
export function hasSeparators(values: readonly JsonValue[]): boolean {
  return values.some((value) =>
    someText(value, [], new Set(), (_, text) => hasPathSigns.test(text) || hasScheme.test(text)),
  )
}

function someText(
  value: JsonValue,
  segments: readonly string[],
  held: ReadonlySet<string>,
  isPlace: (name: string, text: string) => boolean,
): boolean {
  if (held.has(keyOf(segments))) return false
  if (typeof value === "string") return isPlace(segments.at(-1) ?? "", value)
  if (typeof value !== "object" || value === null || isRawNumber(value)) return false
  if (Array.isArray(value)) return value.some((item) => someText(item, segments, held, isPlace))
  return Object.entries(value).some(
    ([member, inner]) => isPlace("", member) || someText(inner, [...segments, member], held, isPlace),
  )
}

function isPath(name: string, text: string): boolean {
  if (namesPath(name) || namesProgram(name)) return true
  if (isProse(name, text)) return hasAbsolutePath(text)
  if (webAddress.test(text)) return false
  return hasPathSigns.test(text) || (!isPersonsAddress(name, text) && wordsOf(text).some(isFileName))
}

function isAddress(name: string, text: string): boolean {
  if (namesAddress(name) || namesProgram(name) || nameWords(name).some((word) => hostWords.has(word))) return true
  if (isProse(name, text)) return false
  return hasScheme.test(text) || (!isPersonsAddress(name, text) && wordsOf(text).some(isHost))
}

/** More than one word. */
function isProse(name: string, text: string): boolean {
  return namesProse(name) && !saysWhatIsDone(name) && /\S\s+\S/.test(text)
}

/** `to: "ann@example.com"` names a person; under another name it may be a user and a host. */
function isPersonsAddress(name: string, text: string): boolean {
  return /^[^\s@:]+@[^\s@:]+$/.test(text) && nameWords(name).some((word) => personWords.has(word))
}

/** A separator, a name that leads up, what shells expand, a drive. */
const hasPathSigns = /[\\/~$%]|\.\.|^\W*[a-z]:/i
const webAddress = /^https?:\/\/[^\s\\]+$/i
/** Readers of addresses take `https:host` and `https:\\\\host` for the usual form. */
const hasScheme = /\b(?:https?|wss?|ftps?|sftp|ssh|git|gopher|data|mailto|ldaps?):|:\/\/|^\W*\/\/|\\\\/i
const hostWords = wordSet("host hosts hostname domain domains link links server origin proxy address ip")
const personWords = wordSet(`
  email emails mail to cc bcc from reply sender recipient recipients attendee attendees assignee assignees author user users owner member members
  username person people contact participant participants`)
