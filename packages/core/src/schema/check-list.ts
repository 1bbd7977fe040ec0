import { canonicalJson } from "../call/json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { memberAt } from "../call/json/members.ts"
import {
  type Check,
  type Checking,
  listOf,
  newSeen,
  numberOf,
  report,
  type Seen,
  spendOn,
  type ValuePath,
} from "./checking.ts"
import { wordsFor } from "./problem-words.ts"

/** The keywords about lists. */
export function checkList(
  check: Check,
  schema: JsonObject,
  value: readonly JsonValue[],
  place: ValuePath,
  checking: Checking,
  seen: Seen,
): boolean {
  const results = [
    checkCounts(schema, value.length, place, checking),
    checkContains(check, schema, value, place, checking, seen),
    checkEntries(check, schema, value, place, checking, seen),
    checkUnique(schema, value, place, checking),
  ]
  return results.every((fits) => fits)
}

function checkCounts(schema: JsonObject, count: number, place: ValuePath, checking: Checking): boolean {
  const least = numberOf(schema, "minItems")
  const most = numberOf(schema, "maxItems")
  if (least !== undefined && count < least)
    return report(checking, place, "minItems", () => wordsFor("minItems", least))
  if (most !== undefined && count > most) return report(checking, place, "maxItems", () => wordsFor("maxItems", most))
  return true
}

function checkEntries(
  check: Check,
  schema: JsonObject,
  value: readonly JsonValue[],
  place: ValuePath,
  checking: Checking,
  seen: Seen,
): boolean {
  const items = memberAt(schema, "items")
  // A list of schemas was the older way to write `prefixItems`, with `additionalItems` for the rest.
  const isOld = Array.isArray(items)
  const first = isOld ? items : (listOf(schema, "prefixItems") ?? [])
  const rest = isOld ? memberAt(schema, "additionalItems") : items
  const unevaluated = memberAt(schema, "unevaluatedItems")
  let allFit = true
  value.forEach((entry, at) => {
    const wanted = first[at] ?? rest ?? (seen?.entries.has(at) === true ? undefined : unevaluated)
    if (wanted === undefined) return
    const fits = check(wanted, entry, { within: place, key: String(at) }, checking, newSeen(checking.prepared))
    seen?.entries.add(at)
    allFit = fits && allFit
  })
  return allFit
}

function checkContains(
  check: Check,
  schema: JsonObject,
  value: readonly JsonValue[],
  place: ValuePath,
  checking: Checking,
  seen: Seen,
): boolean {
  const wanted = memberAt(schema, "contains")
  if (wanted === undefined) return true
  let count = 0
  value.forEach((entry, at) => {
    if (!check(wanted, entry, place, { ...checking, quiet: true }, newSeen(checking.prepared))) return
    count += 1
    seen?.entries.add(at)
  })
  const least = numberOf(schema, "minContains")
  const most = numberOf(schema, "maxContains")
  if (least === undefined && count === 0) return report(checking, place, "contains", () => wordsFor("contains", ""))
  if (least !== undefined && count < least)
    return report(checking, place, "minContains", () => wordsFor("minContains", least))
  if (most !== undefined && count > most)
    return report(checking, place, "maxContains", () => wordsFor("maxContains", most))
  return true
}

function checkUnique(schema: JsonObject, value: readonly JsonValue[], place: ValuePath, checking: Checking): boolean {
  if (memberAt(schema, "uniqueItems") !== true) return true
  spendOn(value, checking.work)
  const written = new Set(value.map((entry) => canonicalJson(entry)))
  return written.size === value.length || report(checking, place, "uniqueItems", () => wordsFor("uniqueItems", true))
}
