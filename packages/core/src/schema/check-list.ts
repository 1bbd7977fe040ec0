import { canonicalJson } from "../call/json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { memberAt } from "../call/json/members.ts"
import {
  type Checking,
  checkCount,
  type KeywordCheck,
  listOf,
  numberOf,
  report,
  spendOn,
  type ValuePath,
} from "./checking.ts"
import { wordsFor } from "./problem-words.ts"
import { spend } from "./work.ts"

export const checkList: KeywordCheck<readonly JsonValue[]> = (schema, value, place, checking, seen) => {
  const results = [
    checkCount(["minItems", "maxItems"], schema, value.length, place, checking),
    checkContains(schema, value, place, checking, seen),
    checkEntries(schema, value, place, checking, seen),
    checkUnique(schema, value, place, checking),
  ]
  return results.every((fits) => fits)
}

const checkEntries: KeywordCheck<readonly JsonValue[]> = (schema, value, place, checking, seen) => {
  const items = memberAt(schema, "items")
  // A list of schemas was the older way to write `prefixItems`, with `additionalItems` for the rest.
  const isOld = Array.isArray(items)
  const first = isOld ? items : (listOf(schema, "prefixItems") ?? [])
  const rest = isOld ? memberAt(schema, "additionalItems") : items
  const unevaluated = memberAt(schema, "unevaluatedItems")
  if (rest === undefined && unevaluated === undefined && first.length === 0) return true
  spend(checking.work, value.length)
  let allFit = true
  value.forEach((entry, at) => {
    const wanted = first[at] ?? rest ?? (seen?.entries.has(at) === true ? undefined : unevaluated)
    if (wanted === undefined) return
    const fits = checking.check(wanted, entry, { within: place, key: String(at) }, checking, null)
    seen?.entries.add(at)
    allFit = fits && allFit
  })
  return allFit
}

const checkContains: KeywordCheck<readonly JsonValue[]> = (schema, value, place, checking, seen) => {
  const wanted = memberAt(schema, "contains")
  if (wanted === undefined) return true
  spend(checking.work, value.length)
  let count = 0
  value.forEach((entry, at) => {
    if (!checking.check(wanted, entry, place, { ...checking, quiet: true }, null)) return
    count += 1
    seen?.entries.add(at)
  })
  if (count === 0 && numberOf(schema, "minContains") === undefined)
    return report(checking, place, "contains", () => wordsFor("contains", ""))
  return checkCount(["minContains", "maxContains"], schema, count, place, checking)
}

function checkUnique(schema: JsonObject, value: readonly JsonValue[], place: ValuePath, checking: Checking): boolean {
  if (memberAt(schema, "uniqueItems") !== true) return true
  spendOn(value, checking.work)
  const written = new Set(value.map((entry) => canonicalJson(entry)))
  return written.size === value.length || report(checking, place, "uniqueItems", () => wordsFor("uniqueItems", true))
}
