import type { JsonObject, JsonValue, RawNumber } from "../call/json/json.ts"
import { isObject, memberAt } from "../call/json/members.ts"
import { isRawNumber } from "../call/json/raw-number.ts"
import { compilePattern, type PatternTest } from "./match-pattern.ts"
import { wordsFor } from "./problem-words.ts"
import { countProperties } from "./read-characters.ts"
import { spend, unusable, type Work } from "./work.ts"

export type SchemaProblem = {
  /** Where in the value, as a pointer: `#/edits/0`. */
  readonly at: string
  readonly keyword: string
  /** For people. */
  readonly words: string
}

/** Where a value is within the one that is checked. */
export type ValuePath = { readonly within: ValuePath; readonly key: string } | null

/** The prepared parts of a schema, independent of the value to check. */
export type PreparedSchema = {
  readonly root: JsonObject
  readonly anchors: ReadonlyMap<string, JsonObject>
  /** Whether it asks what other parts of it have looked at. */
  readonly tracks: boolean
  readonly patterns: Map<string, PatternTest>
  readonly patternsOf: Map<JsonObject, readonly KeyPattern[]>
  /** What its patterns may still be made of, all together. */
  readonly patternParts: { left: number }
  readonly referred: Map<string, JsonValue>
  readonly kinds: Map<JsonObject, Kinds>
}

/** A key of `patternProperties`, and what the members that it finds must fit. */
export type KeyPattern = { readonly test: PatternTest; readonly inner: JsonValue }

export type Kinds = { readonly [kind in keyof typeof keywords]: boolean }

const keywords = {
  references: ["$ref", "$dynamicRef", "$recursiveRef"],
  forms: ["allOf", "anyOf", "oneOf", "not"],
  branches: ["if"],
  objects: [
    "minProperties",
    "maxProperties",
    "required",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
  ],
  scalars: ["type", "const", "enum"],
  texts: ["minLength", "maxLength", "pattern", "format"],
  numbers: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
} as const

/** Worked out once for each part: most have few keywords. */
export function kindsOf(schema: JsonObject, { kinds }: PreparedSchema): Kinds {
  const known = kinds.get(schema)
  if (known !== undefined) return known
  const has = (names: readonly string[]): boolean => names.some((name) => Object.hasOwn(schema, name))
  const found = {
    references: has(keywords.references),
    forms: has(keywords.forms),
    branches: has(keywords.branches),
    objects: has(keywords.objects),
    scalars: has(keywords.scalars),
    texts: has(keywords.texts),
    numbers: has(keywords.numbers),
  }
  kinds.set(schema, found)
  return found
}

export type Checking = {
  readonly check: Check
  readonly prepared: PreparedSchema
  readonly work: Work
  readonly problems: SchemaProblem[]
  /** Problems of forms that are merely tried are nobody's. */
  readonly quiet: boolean
  readonly depth: number
}

/** Which keys and entries of a value were looked at and fit; null where the schema never asks. */
export type Seen = { readonly keys: Set<string>; readonly entries: Set<number> } | null

export function newSeen({ tracks }: PreparedSchema): Seen {
  return tracks ? { keys: new Set(), entries: new Set() } : null
}

/** Holds one value against one part of a schema; true when it fits. */
export type Check = (schema: JsonValue, value: JsonValue, place: ValuePath, checking: Checking, seen: Seen) => boolean

/** Holds a value against the keywords of one kind. */
export type KeywordCheck<Value extends JsonValue = JsonValue> = (
  schema: JsonObject,
  value: Value,
  place: ValuePath,
  checking: Checking,
  seen: Seen,
) => boolean

const mostProblems = 100

export function report(checking: Checking, place: ValuePath, keyword: string, words: () => string): false {
  if (checking.quiet || checking.problems.length >= mostProblems) return false
  for (let here = place; here !== null; here = here.within) spend(checking.work, here.key.length >> 2)
  checking.problems.push({ at: pointerTo(place), keyword, words: words() })
  return false
}

/** Whether a count is at least what one keyword says, and at most what the other does. */
export function checkCount(
  [least, most]: readonly [string, string],
  schema: JsonObject,
  count: number,
  place: ValuePath,
  checking: Checking,
): boolean {
  const from = numberOf(schema, least)
  const to = numberOf(schema, most)
  if (from !== undefined && count < from) return report(checking, place, least, () => wordsFor(least, from))
  if (to !== undefined && count > to) return report(checking, place, most, () => wordsFor(most, to))
  return true
}

function pointerTo(place: ValuePath): string {
  const keys: string[] = []
  for (let here = place; here !== null; here = here.within) keys.unshift(here.key)
  return ["#", ...keys.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/")
}

export function patternTest({ prepared, work }: Checking, source: string): PatternTest {
  const known = prepared.patterns.get(source)
  if (known !== undefined) return known
  spend(work, stepsOfCompiling + source.length * stepsOfCharacter + countProperties(source) * stepsOfProperty)
  const before = prepared.patternParts.left
  const test = compilePattern(source, prepared.patternParts)
  spend(work, before - prepared.patternParts.left)
  prepared.patterns.set(source, test)
  return test
}

/** The patterns of a part's `patternProperties`, compiled once for the part. */
export function patternsOf(schema: JsonObject, checking: Checking): readonly KeyPattern[] {
  const known = checking.prepared.patternsOf.get(schema)
  if (known !== undefined) return known
  const patterns = mapOf(schema, "patternProperties")
  if (patterns === undefined) return noPatterns
  const found = Object.entries(patterns).map(([source, inner]) => ({ test: patternTest(checking, source), inner }))
  checking.prepared.patternsOf.set(schema, found)
  return found
}

const noPatterns: readonly KeyPattern[] = []
const stepsOfCompiling = 16
const stepsOfCharacter = 4
/** The engine compiles it at its first use, up to four times: for short and long characters, slow and fast. */
const stepsOfProperty = 4_000

/** Steps for writing a value, its members in order. */
export function spendOn(value: JsonValue, work: Work): void {
  spend(work, stepsOfValue)
  if (typeof value === "string") spend(work, value.length >> 2)
  else if (isRawNumber(value)) spend(work, (value as RawNumber).rawJSON.length >> 2)
  else if (Array.isArray(value)) for (const entry of value) spendOn(entry, work)
  else if (isObject(value)) {
    const members = Object.entries<JsonValue>(value)
    spend(work, members.length * stepsOfMember)
    for (const [key, inner] of members) {
      spend(work, key.length >> 2)
      spendOn(inner, work)
    }
  }
}

const stepsOfValue = 2
const stepsOfMember = 8

// Keywords of a schema, each in the form it must have.

export function listOf(schema: JsonObject, keyword: string): readonly JsonValue[] | undefined {
  const value = memberAt(schema, keyword)
  if (value === undefined || Array.isArray(value)) return value
  throw unusable(`Its ${keyword} is no list.`)
}

export function mapOf(schema: JsonObject, keyword: string): JsonObject | undefined {
  const value = memberAt(schema, keyword)
  if (value === undefined || isObject(value)) return value
  throw unusable(`Its ${keyword} is no object.`)
}

export function numberOf(schema: JsonObject, keyword: string): number | undefined {
  const value = memberAt(schema, keyword)
  if (value === undefined || typeof value === "number") return value
  throw unusable(`Its ${keyword} is no number.`)
}

export function textOf(schema: JsonObject, keyword: string): string | undefined {
  const value = memberAt(schema, keyword)
  if (value === undefined || typeof value === "string") return value
  throw unusable(`Its ${keyword} is no text.`)
}
