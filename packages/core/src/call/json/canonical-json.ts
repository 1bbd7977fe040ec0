/**
 * RFC 8785: one text for all spellings of a JSON value.
 *
 * I1. Two values have the same text only if they are the same JSON value; and the same value has one text whatever its key order,
 *     space and spelling of strings and numbers. Save numbers that no double holds: `1e400` and `10e399` keep their spellings and
 *     differ, which costs a second approval and never lends one.
 * I2. What JSON cannot say has no text: it throws, and never digests as something else.
 */
import { CallError } from "../call-error.ts"
import type { JsonObject, JsonValue } from "./json.ts"
import { isRawNumber, numberFrom } from "./raw-number.ts"

/** The canonical text of a value. A `RawNumber` gives its source text. */
export function canonicalJson(value: JsonValue): string {
  return write(value, 0)
}

// Deeper than any reader lets in; a deeper value must contain itself.
const greatestDepth = 2_000

function write(value: JsonValue, depth: number): string {
  switch (typeof value) {
    case "string":
      return writeString(value)
    case "number":
      return writeNumber(value)
    case "boolean":
      return value ? "true" : "false"
    case "object":
      if (value === null) return "null"
      if (depth > greatestDepth) throw notJson("something nested without end")
      return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value as JsonObject, depth + 1)
    default:
      throw notJson(`a value of type ${typeof value}`)
  }
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw notJson(`${value}`)
  return `${value}`
}

// Anything but what stands for itself: control characters, quote, backslash and surrogates are left out of the ranges.
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/
const loneSurrogate = /\p{Surrogate}/u

function writeString(text: string): string {
  if (!special.test(text)) return `"${text}"`
  if (loneSurrogate.test(text)) throw notJson("half of a surrogate pair")
  return JSON.stringify(text)
}

function writeArray(array: readonly JsonValue[], depth: number): string {
  let text = "["
  for (let at = 0; at < array.length; at++) {
    if (at > 0) text += ","
    text += write(array[at] as JsonValue, depth)
  }
  return `${text}]`
}

function writeObject(object: JsonObject, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype === null && isRawNumber(object)) return writeRawNumber(object.rawJSON)
  // A Date or Map would be digested as one thing and sent as another. Plain objects of another realm are plain.
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null) {
    throw notJson("an object that is not a plain one")
  }
  let text = "{"
  for (const key of sortedKeys(object)) {
    if (text.length > 1) text += ","
    text += `${writeString(key)}:${write(object[key] as JsonValue, depth)}`
  }
  return `${text}}`
}

function writeRawNumber(source: string): string {
  if (!/^-?\d/.test(source)) throw notJson("raw text that is no number")
  const value = numberFrom(source)
  return typeof value === "number" ? writeNumber(value) : source
}

// By UTF-16 code units, as `<` and `sort` compare strings.
function sortedKeys(object: JsonObject): readonly string[] {
  const keys = Object.keys(object)
  for (let at = 1; at < keys.length; at++) {
    if ((keys[at - 1] as string) > (keys[at] as string)) return keys.sort()
  }
  return keys
}

function notJson(what: string): CallError {
  return new CallError("not-json", `JSON cannot hold ${what}. Pass only what JSON.parse could have given.`)
}
