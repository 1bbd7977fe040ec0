import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { keyOf } from "../conditions/argument-key.ts"
import { namesProse } from "../risks/argument-kind.ts"
import type { Condition } from "../rules/rule.ts"
import type { KeptCall } from "./answered-call.ts"

/** A choice among more values is none that a person would write down. */
const mostValues = 8
const longestValue = 64
const deepest = 4

/** A call with more values than this is no habit to make a rule of. */
const mostValuesPerCall = 500

/** The names of a call's arguments as dotted keys; elements of lists stand under the list's key. Null: too many to look at. */
export function argumentNames(args: JsonObject): readonly string[] | null {
  const known = namesKnown.get(args)
  if (known !== undefined) return known
  const names = namesIn(args)
  namesKnown.set(args, names)
  return names
}

const namesKnown = new WeakMap<JsonObject, readonly string[] | null>()

function namesIn(args: JsonObject): readonly string[] | null {
  const names = new Set<string>()
  let left = mostValuesPerCall
  const walk = (value: JsonValue, segments: readonly string[]): void => {
    if (left-- <= 0) return
    const isPlain = typeof value !== "object" || value === null || isRawNumber(value)
    const items = isPlain ? [] : Array.isArray(value) ? value.map((item) => [[], item] as const) : membersOf(value)
    if (segments.length > 0 && (items.length === 0 || segments.length > deepest)) names.add(keyOf(segments))
    else for (const [name, inner] of items) walk(inner, [...segments, ...name])
  }
  walk(args, [])
  return left < 0 ? null : [...names].sort()
}

function membersOf(value: JsonValue): ReadonlyArray<readonly [readonly string[], JsonValue]> {
  return Object.entries(value as JsonObject).map(([name, inner]) => [[name], inner] as const)
}

/** The plain values of a call's arguments by dotted key; elements of lists stand under the list's key. */
function valuesByKey(args: JsonObject): ReadonlyMap<string, readonly JsonValue[]> {
  const found = new Map<string, JsonValue[]>()
  collect(args, [], found)
  return found
}

function collect(value: JsonValue, segments: readonly string[], found: Map<string, JsonValue[]>): void {
  if (segments.length > deepest) return
  if (Array.isArray(value)) for (const item of value) collect(item, segments, found)
  else if (typeof value === "object" && value !== null && !isRawNumber(value)) {
    for (const [name, inner] of Object.entries(value)) collect(inner, [...segments, name], found)
  } else {
    const key = keyOf(segments)
    const known = found.get(key)
    if (known === undefined) found.set(key, [value])
    else known.push(value)
  }
}

/** The arguments that take one of a few values: each key with the values of every call. */
export type Choices = ReadonlyMap<string, ChosenValues>
type ChosenValues = ReadonlyMap<string, { readonly value: JsonValue; readonly calls: number }>

/** Keys that every one of these calls has, with few different values each, short and without spaces. */
export function choicesOf(calls: readonly KeptCall[], except: ReadonlySet<string>): Choices {
  const byKey = new Map<string, Map<string, { value: JsonValue; calls: number }> | null>()
  const counts = new Map<string, number>()
  for (const { args } of calls) {
    for (const [key, values] of valuesByKey(args)) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      const known = byKey.get(key)
      if (known === null || except.has(key)) continue
      byKey.set(key, addChoices(known ?? new Map(), key, values))
    }
  }
  const choices = new Map<string, Map<string, { value: JsonValue; calls: number }>>()
  for (const [key, known] of byKey) {
    if (known !== null && known !== undefined && counts.get(key) === calls.length) choices.set(key, known)
  }
  return choices
}

function addChoices(
  known: Map<string, { value: JsonValue; calls: number }>,
  key: string,
  values: readonly JsonValue[],
) {
  for (const [text, value] of new Map(values.map((one) => [canonicalJson(one), one]))) {
    if (!isChoice(key, value)) return null
    const before = known.get(text)
    known.set(text, { value, calls: (before?.calls ?? 0) + 1 })
  }
  return known.size > mostValues ? null : known
}

function isChoice(key: string, value: JsonValue): boolean {
  if (typeof value === "boolean") return true
  return typeof value === "string" && value.length <= longestValue && !/\s/.test(value) && !namesProse(key)
}

/** One of these values, in an order that does not depend on which call came first. */
export function choiceCondition(key: string, given: readonly JsonValue[]): Condition {
  const values = given.toSorted((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1))
  const [only] = values
  return values.length === 1 && only !== undefined ? { key, op: "equals", value: only } : { key, op: "oneOf", values }
}

/** One of the values that more than one call has; null: none is chosen again. */
export function repeatedChoice(key: string, values: ChosenValues): Condition | null {
  const often = [...values.values()].filter(({ calls }) => calls > 1).map(({ value }) => value)
  return often.length === 0 ? null : choiceCondition(key, often)
}

/** The largest number that each of these calls gives under a key: no more than that was allowed. */
export function boundsOf(calls: readonly KeptCall[]): readonly Condition[] {
  const [first] = calls
  if (first === undefined) return []
  return Object.keys(first.args)
    .sort()
    .flatMap((name): readonly Condition[] => {
      const values = calls.map(({ args }) => (Object.hasOwn(args, name) ? args[name] : undefined))
      if (!values.every((value) => typeof value === "number")) return []
      return [{ key: keyOf([name]), op: "atMost", value: Math.max(...(values as readonly number[])) }]
    })
}
