/**
 * A one-line preview of a call's arguments, for lists, where whole arguments do not fit.
 *
 * I1. Bounded, however many arguments there are and however long they are.
 * I2. What looks like a secret is not in it.
 */

import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { isRawNumber } from "../call/json/raw-number.ts"
import { textAmongValues } from "../call/json/text-among-values.ts"
import { firstCharacters } from "../call/text/first-characters.ts"
import { isSecretKey } from "../policy/risks/secret-key.ts"
import { looksSecret } from "../policy/risks/secret-like.ts"

/** One argument in a few words. */
export type PreviewedArgument = {
  readonly name: string
  /** The beginning of the value, or its first elements. */
  readonly text: string
  /** Its text only says how long it is. */
  readonly isSecret: boolean
}

/** Arguments by these names say most about a call. */
const telling = [
  "command",
  "path",
  "file_path",
  "url",
  "uri",
  "query",
  "sql",
  "title",
  "name",
  "to",
  "subject",
  "message",
]
/** In a list, an object without a name goes by what it replaces or adds. */
const tellingInList = [...telling, "newText", "new_string", "new_text", "contents", "content", "text"]
const longestText = 200
const longestName = 100
const longestLookedAt = 4_096
const mostArguments = 4
const mostNames = 100
/** Of a list or an object. */
const mostItems = 3
const longestItem = 60

/** The arguments that say most come first, then others as they were sent, so that calls of one tool can be told apart. */
export function previewOf(args: JsonObject): readonly PreviewedArgument[] {
  const known = telling.filter((name) => Object.hasOwn(args, name))
  const names = [...new Set([...known, ...firstNames(args, mostNames)])]
  const ranked = names.sort((a, b) => rankOf(a, args[a]) - rankOf(b, args[b]))
  return ranked.slice(0, mostArguments).map((name) => previewed(name, args[name] as JsonValue))
}

function firstNames(args: JsonObject, most: number): readonly string[] {
  const names: string[] = []
  for (const name in args) {
    names.push(name)
    if (names.length === most) break
  }
  return names
}

/** Sorting keeps the order of what ranks the same. */
function rankOf(name: string, value: JsonValue | undefined): number {
  if (scalarText(value) === null || value === "") return telling.length + 1
  const at = telling.indexOf(name)
  return at < 0 ? telling.length : at
}

function previewed(whole: string, value: JsonValue): PreviewedArgument {
  const name = firstCharacters(whole, longestName)
  const text = scalarText(value)
  if (text === null) {
    return isObject(value) && isSecretKey(name)
      ? { name, text: "hidden", isSecret: true }
      : { name, text: otherwise(name, value), isSecret: false }
  }
  if (isSecret(name, text)) {
    return { name, text: `hidden, ${text.length} ${text.length === 1 ? "character" : "characters"}`, isSecret: true }
  }
  return { name, text: valueText(value, onOneLine(text, longestText)), isSecret: false }
}

/** Lists and objects by their first elements: `Ada, Grace +3`. */
function otherwise(name: string, value: JsonValue): string {
  if (Array.isArray(value)) {
    const first = value.slice(0, mostItems).map((item) => itemText(name, item))
    return firstOf(value.length, first)
  }
  if (!isObject(value)) return String(value)
  const members: JsonObject = value
  const first = firstNames(members, mostItems).map(
    (member) => `${onOneLine(member, longestItem)}: ${itemText(member, members[member] as JsonValue)}`,
  )
  return firstOf(Object.keys(members).length, first)
}

function firstOf(count: number, first: readonly string[]): string {
  if (count === 0) return "empty"
  return count === first.length ? first.join(", ") : `${first.join(", ")} +${count - first.length}`
}

/** An object in a list goes by what says most about it. */
function itemText(name: string, value: JsonValue): string {
  if (isSecretKey(name)) return "hidden"
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]"
  if (isObject(value)) {
    const members: JsonObject = value
    const member = tellingInList.find((known) => Object.hasOwn(members, known) && saysSomething(members[known]))
    if (member === undefined) return Object.keys(members).length === 0 ? "{}" : "{…}"
    return itemText(member, firstText(members[member] as JsonValue))
  }
  const text = scalarText(value) ?? String(value)
  return isSecret(name, text) ? "hidden" : valueText(value, onOneLine(text, longestItem))
}

function valueText(value: JsonValue, shown: string): string {
  return typeof value === "string" ? textAmongValues(shown) : shown
}

/** A text or number, or a list that begins with one. */
function saysSomething(value: JsonValue | undefined): boolean {
  const text = scalarText(Array.isArray(value) ? value[0] : value)
  return text !== null && text !== ""
}

function firstText(value: JsonValue): JsonValue {
  return Array.isArray(value) ? (value[0] ?? null) : value
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !isRawNumber(value)
}

function isSecret(name: string, text: string): boolean {
  return looksSecret(name, firstCharacters(text, longestLookedAt))
}

function onOneLine(text: string, longest: number): string {
  return firstCharacters(text, longest).replaceAll(/[\n\t]+/g, " ")
}

/** A text or number as it was written; null for everything else. */
function scalarText(value: JsonValue | undefined): string | null {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return isRawNumber(value) ? value.rawJSON : null
}
