/**
 * The strict reader of inbound JSON: RFC 8259 and nothing else, in one pass.
 *
 * Not JSON.parse, which silently keeps the last of two equal keys, lets keys that other readers take for equal and lone
 * surrogates through, and rounds numbers: what a person was shown would not be what the server reads.
 *
 * I1. Accepts exactly what JSON.parse accepts, less the refused features, with the same values; never throws.
 * I2. No object that is accepted has two keys that are equal, or equal after case folding or Unicode normalisation.
 * I3. A number becomes a double only where that double is written again as the same decimal value.
 * I4. Recursion goes no deeper than the depth limit, whatever the text.
 * I5. Reading stops at the first value beyond the limit: megabytes of tiny values cost no more than a few.
 * I6. Whoever keeps a string or a number of a long text does not keep the text.
 * I7. Short arrays have room for their own elements alone: what is read takes about as much memory as JSON.parse would need.
 */
import { hasManyMarks, mostMarks, normalizeText } from "../text/normalize-text.ts"
import { foldedKey } from "./folded-key.ts"
import type { JsonObject, JsonValue } from "./json.ts"
import { type Cursor, fail, nextIs, skipSpace, tooDeep, tooMany, unexpected, within } from "./json-cursor.ts"
import type { JsonProblem } from "./json-problem.ts"
import { readNumber } from "./read-json-number.ts"
import { isSurrogate, readString } from "./read-json-string.ts"

export type ReadLimits = {
  /** Objects and arrays within each other; 128 unless set, at most 1,000. */
  readonly depth?: number
  /** Of the text in UTF-8; 4 MiB unless set. */
  readonly bytes?: number
  /** Objects, arrays, texts, numbers and words in it, keys not counted; 50,000 unless set. */
  readonly values?: number
}

export type ReadResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: JsonProblem }

const defaultDepth = 128
const greatestDepth = 1_000
const defaultBytes = 4 * 1024 * 1024
/** Ten times what agents send; a value costs hundreds of times more to hold and show than a letter. */
export const defaultJsonValues = 50_000

/** Reads text that someone else wrote. */
export function readJson(text: string, limits: ReadLimits = {}): ReadResult {
  const bytes = limits.bytes ?? defaultBytes
  if (isLargerThan(text, bytes)) return tooLarge(bytes)
  const depth = Math.min(limits.depth ?? defaultDepth, greatestDepth)
  const values = limits.values ?? defaultJsonValues
  const cursor: Cursor = { text, at: 0, depth, values, left: values, problem: undefined, path: "" }
  const value = readDocument(cursor)
  if (value !== undefined) return { ok: true, value }
  return { ok: false, problem: { ...(cursor.problem ?? notJson), path: cursor.path } }
}

const notJson = { code: "syntax", message: "The text is not JSON. Send one JSON value.", offset: 0 } as const

// Small texts, which is nearly all of them, are measured without looking at them.
function isLargerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true
  if (text.length * 3 <= bytes) return false
  let size = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // A surrogate pair is four bytes for two units.
    if (code > 0x7f) size += code > 0x7ff && !isSurrogate(code) ? 2 : 1
  }
  return size > bytes
}

function tooLarge(bytes: number): ReadResult {
  const message = `The JSON is larger than ${bytes} bytes, the most that is read. Send less, for example a reference to the data.`
  return { ok: false, problem: { code: "too-large", message, path: "", offset: 0 } }
}

function readDocument(cursor: Cursor): JsonValue | undefined {
  if (cursor.text.charCodeAt(0) === 0xfeff) {
    return fail(cursor, "syntax", "The text starts with a byte order mark. Send it without one.")
  }
  skipSpace(cursor)
  if (cursor.at === cursor.text.length) return fail(cursor, "syntax", "The text is empty. Send one JSON value.")
  const value = readValue(cursor, 0)
  if (value === undefined) return undefined
  skipSpace(cursor)
  return cursor.at === cursor.text.length ? value : unexpected(cursor, "the end of the text")
}

function readValue(cursor: Cursor, depth: number): JsonValue | undefined {
  if (--cursor.left < 0) return tooMany(cursor)
  switch (cursor.text.charCodeAt(cursor.at)) {
    case 0x22:
      return readString(cursor)
    case 0x7b:
      return readObject(cursor, depth + 1)
    case 0x5b:
      return readArray(cursor, depth + 1)
    case 0x74:
      return readWord(cursor, "true", true)
    case 0x66:
      return readWord(cursor, "false", false)
    case 0x6e:
      return readWord(cursor, "null", null)
    default:
      return readNumber(cursor)
  }
}

/** An object of very many names takes several times as long to read, look through and write as a list: each further one counts as so many values. */
const usualNames = 1_024
const valuesOfName = 8

function readObject(cursor: Cursor, depth: number): JsonObject | undefined {
  if (depth > cursor.depth) return tooDeep(cursor)
  const object: Record<string, JsonValue> = {}
  const folds: Folds = { few: [], many: undefined }
  let names = 0
  cursor.at++
  if (nextIs(cursor, 0x7d)) return object
  for (;;) {
    const keyAt = cursor.at
    if (cursor.text.charCodeAt(keyAt) !== 0x22) return unexpected(cursor, "a key in double quotes")
    const key = readString(cursor)
    if (key === undefined) return undefined
    if (++names > usualNames) cursor.left -= valuesOfName
    if (hasManyMarks(key)) return manyMarks(cursor, keyAt)
    if (!isNewKey(folds, key)) return clash(cursor, object, key, keyAt)
    if (!nextIs(cursor, 0x3a)) return unexpected(cursor, '":" after a key')
    skipSpace(cursor)
    const value = readValue(cursor, depth)
    if (value === undefined) return within(cursor, key)
    putMember(object, key, value)
    if (nextIs(cursor, 0x7d)) return object
    if (!nextIs(cursor, 0x2c)) return unexpected(cursor, '"," or "}"')
    skipSpace(cursor)
  }
}

function readArray(cursor: Cursor, depth: number): readonly JsonValue[] | undefined {
  if (depth > cursor.depth) return tooDeep(cursor)
  cursor.at++
  if (nextIs(cursor, 0x5d)) return []
  const first = readValue(cursor, depth)
  if (first === undefined) return within(cursor, 0)
  const array = [first]
  while (!nextIs(cursor, 0x5d)) {
    if (!nextIs(cursor, 0x2c)) return unexpected(cursor, '"," or "]"')
    skipSpace(cursor)
    const value = readValue(cursor, depth)
    if (value === undefined) return within(cursor, array.length)
    array.push(value)
  }
  return array.length > 1 && array.length <= fewElements ? array.slice() : array
}

/** The engine makes room for sixteen elements more, and by halves after that, when one is added: a copy has room for its own alone. */
const fewElements = 64

/** Keys seen in one object, folded. A list is quicker than a set for the few keys most objects have. */
type Folds = { readonly few: string[]; many: Set<string> | undefined }

function isNewKey(folds: Folds, key: string): boolean {
  const folded = foldedKey(key)
  if (folds.many === undefined) {
    if (folds.few.includes(folded)) return false
    if (folds.few.push(folded) > 12) folds.many = new Set(folds.few)
    return true
  }
  if (folds.many.has(folded)) return false
  folds.many.add(folded)
  return true
}

// Assigning to "__proto__" would set the prototype; it must become a member like any other.
function putMember(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

function manyMarks(cursor: Cursor, keyAt: number): undefined {
  cursor.at = keyAt
  return fail(cursor, "many-marks", `A key has more than ${mostMarks} accents or other marks in a row. Send fewer.`)
}

function clash(cursor: Cursor, object: JsonObject, key: string, keyAt: number): undefined {
  cursor.at = keyAt
  const folded = foldedKey(key)
  const earlier = Object.keys(object).find((other) => foldedKey(other) === folded)
  if (earlier === key) fail(cursor, "duplicate-key", "An object has this key twice. Send each key once.")
  else if (earlier !== undefined && normalizeText(earlier, "NFC") === normalizeText(key, "NFC")) {
    fail(
      cursor,
      "nfc-equal-keys",
      "Two keys of an object are the same text in different Unicode forms. Send one of them.",
    )
  } else fail(cursor, "case-equal-keys", "Two keys of an object differ only in case. Send one of them.")
  return within(cursor, key)
}

function readWord<Value extends boolean | null>(cursor: Cursor, word: string, value: Value): Value | undefined {
  if (!cursor.text.startsWith(word, cursor.at)) return unexpected(cursor, "a value")
  cursor.at += word.length
  return value
}
