/**
 * Whether a call's arguments name a path or an address, in whatever form a server might read as one. It errs towards yes: where it is asked, a no makes a
 * call run that nobody looked at.
 *
 * I1. Names of members are looked at like values.
 * I2. A program may lead anywhere.
 * I3. Text for people or files is a place only where it is nothing else: a single word.
 */
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { keyOf } from "../conditions/argument-key.ts"
import { namesAddress, namesPath, namesProgram, namesProse, wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"

export type PlaceKind = "paths" | "urls"

/** `held`: dotted keys of arguments that are known to be where they may. */
export function namesPlace(kind: PlaceKind, args: JsonObject, held: ReadonlySet<string>): boolean {
  const isPlace = kind === "paths" ? isPath : isAddress
  const look = (value: JsonValue, segments: readonly string[]): boolean => {
    if (held.has(keyOf(segments))) return false
    const name = segments.at(-1) ?? ""
    if (typeof value === "string") return isPlace(name, value)
    if (typeof value !== "object" || value === null || isRawNumber(value)) return false
    if (Array.isArray(value)) return value.some((item) => look(item, segments))
    return Object.entries(value).some(([member, inner]) => isPlace("", member) || look(inner, [...segments, member]))
  }
  return look(args, [])
}

function isPath(name: string, text: string): boolean {
  if (namesPath(name) || namesProgram(name)) return true
  if (isProse(name, text)) return false
  return hasPathSigns.test(text) && !webAddress.test(text)
}

function isAddress(name: string, text: string): boolean {
  if (namesAddress(name) || namesProgram(name) || nameWords(name).some((word) => hostWords.has(word))) return true
  return !isProse(name, text) && hasScheme.test(text)
}

/** More than one word. */
function isProse(name: string, text: string): boolean {
  return namesProse(name) && /\S\s+\S/.test(text)
}

/** A separator, a name that leads up, what shells expand, a drive. */
const hasPathSigns = /[\\/~$%]|\.\.|^\W*[a-z]:/i
const webAddress = /^https?:\/\/[^\s\\]+$/i
/** Readers of addresses take `https:host` and `https:\\\\host` for the usual form. */
const hasScheme = /\b(?:https?|wss?|ftps?|sftp|ssh|git|gopher|data|mailto|ldaps?):|:\/\/|^\W*\/\/|\\\\/i
const hostWords = wordSet("host hosts hostname domain domains link links server origin proxy address ip")
