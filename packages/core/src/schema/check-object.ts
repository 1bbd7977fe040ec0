import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { memberAt } from "../call/json/members.ts"
import {
  type Checking,
  checkCount,
  type KeywordCheck,
  listOf,
  mapOf,
  patternsOf,
  report,
  type ValuePath,
} from "./checking.ts"
import { missingWords } from "./problem-words.ts"
import { spend, unusable } from "./work.ts"

/** Listing the members of a large object takes some steps for each. */
const stepsOfKey = 4

export const checkObject: KeywordCheck<JsonObject> = (schema, value, place, checking, seen) => {
  const keys = Object.keys(value)
  spend(checking.work, keys.length * stepsOfKey)
  const results = [
    checkCount(["minProperties", "maxProperties"], schema, keys.length, place, checking),
    checkRequired(namesIn(listOf(schema, "required") ?? []), value, place, checking),
    checkNames(schema, keys, place, checking),
    checkDependent(schema, value, place, checking, seen),
    checkMembers(schema, value, place, checking, seen),
  ]
  return results.every((fits) => fits)
}

function namesIn(list: readonly JsonValue[]): readonly string[] {
  if (list.every((name) => typeof name === "string")) return list
  throw unusable("It requires a key whose name is no text.")
}

function checkRequired(names: readonly string[], value: JsonObject, place: ValuePath, checking: Checking): boolean {
  spend(checking.work, names.length)
  const missing = names.filter((name) => !Object.hasOwn(value, name))
  for (const name of missing) {
    spend(checking.work, name.length >> 2)
    report(checking, place, "required", () => missingWords(name))
  }
  return missing.length === 0
}

function checkNames(schema: JsonObject, keys: readonly string[], place: ValuePath, checking: Checking): boolean {
  const names = memberAt(schema, "propertyNames")
  if (names === undefined) return true
  return keys.filter((key) => !checking.check(names, key, { within: place, key }, checking, null)).length === 0
}

/** Checks the keys and schemas that are required when another key is present. */
const checkDependent: KeywordCheck<JsonObject> = (schema, value, place, checking, seen) => {
  let fits = true
  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
    for (const [key, wanted] of Object.entries(mapOf(schema, keyword) ?? {})) {
      spend(checking.work, stepsOfKey)
      if (!Object.hasOwn(value, key)) continue
      const holds = Array.isArray(wanted)
        ? checkRequired(namesIn(wanted), value, place, checking)
        : checking.check(wanted, value, place, checking, seen)
      fits = holds && fits
    }
  }
  return fits
}

const checkMembers: KeywordCheck<JsonObject> = (schema, value, place, checking, seen) => {
  const properties = mapOf(schema, "properties")
  const patterns = patternsOf(schema, checking)
  const additional = memberAt(schema, "additionalProperties")
  const unevaluated = memberAt(schema, "unevaluatedProperties")
  if ([properties, additional, unevaluated].every((each) => each === undefined) && patterns.length === 0) return true
  let allFit = true
  for (const key of Object.keys(value)) {
    const wanted = [
      ...(properties !== undefined && Object.hasOwn(properties, key) ? [properties[key] as JsonValue] : []),
      ...patterns.filter(({ test }) => test(key, checking.work)).map(({ inner }) => inner),
    ]
    if (wanted.length === 0 && additional !== undefined) wanted.push(additional)
    if (wanted.length === 0 && unevaluated !== undefined && seen?.keys.has(key) !== true) wanted.push(unevaluated)
    if (wanted.length === 0) continue
    const here = { within: place, key }
    const fits =
      wanted.filter((inner) => !checking.check(inner, value[key] as JsonValue, here, checking, null)).length === 0
    if (fits) seen?.keys.add(key)
    allFit = fits && allFit
  }
  return allFit
}
