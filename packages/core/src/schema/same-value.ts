import type { JsonObject, JsonValue, RawNumber } from "../call/json/json.ts"
import { isObject } from "../call/json/members.ts"
import { isRawNumber } from "../call/json/raw-number.ts"
import { sameJson } from "../policy/conditions/same-json.ts"
import { spend, type Work } from "./work.ts"

/** Whether two values are the same JSON value. Counts what it looks at on both sides: either can be the large one. */
export function isSameValue(a: JsonValue, b: JsonValue, work: Work): boolean {
  spend(work, 1)
  if (typeof a === "string" && typeof b === "string") {
    if (a.length !== b.length) return false
    spend(work, a.length >> 4)
    return a === b
  }
  if (isRawNumber(a) || isRawNumber(b)) return isSameNumber(a, b, work)
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b, work)
  return isObject(a) ? isObject(b) && isSameObject(a, b, work) : a === b
}

function isSameNumber(a: JsonValue, b: JsonValue, work: Work): boolean {
  for (const each of [a, b]) {
    if (isRawNumber(each)) spend(work, (each as RawNumber).rawJSON.length >> 2)
    else if (typeof each !== "number") return false
  }
  return sameJson(a, b) === true
}

function isSameList(a: readonly JsonValue[], b: readonly JsonValue[], work: Work): boolean {
  return a.length === b.length && a.every((entry, at) => isSameValue(entry, b[at] as JsonValue, work))
}

/** Listing the members of a large object takes some steps for each. */
const stepsOfMember = 4

function isSameObject(a: JsonObject, b: JsonObject, work: Work): boolean {
  const keys = Object.keys(a)
  const count = Object.keys(b).length
  spend(work, (keys.length + count) * stepsOfMember)
  return (
    keys.length === count &&
    keys.every((key) => Object.hasOwn(b, key) && isSameValue(a[key] as JsonValue, b[key] as JsonValue, work))
  )
}
