import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { numberOrders } from "./compare-numbers.ts"

/** Whether two JSON values are equal. Null where their types differ, since a server may well read "true" as true, and where only their doubles are equal. */
export function sameJson(a: JsonValue, b: JsonValue): boolean | null {
  if (typeof a === "string" || typeof a === "boolean" || a === null) {
    return a === b ? true : typeof a === typeof b && b !== null && a !== null ? false : null
  }
  if (typeof a === "number" || isRawNumber(a)) {
    if (typeof b !== "number" && !isRawNumber(b)) return null
    const found = numberOrders(a, b)
    if (found === null || !found.includes(0)) return found === null ? null : false
    return found.every((order) => order === 0) ? true : null
  }
  if (typeof b !== "object" || b === null || isRawNumber(b)) return null
  if (Array.isArray(a) !== Array.isArray(b)) return null
  return Array.isArray(a) ? sameItems(a, b as readonly JsonValue[]) : sameObjects(a as JsonObject, b as JsonObject)
}

function sameItems(a: readonly JsonValue[], b: readonly JsonValue[]): boolean | null {
  if (a.length !== b.length) return false
  return all(a.map((item, index) => sameJson(item, b[index] as JsonValue)))
}

function sameObjects(a: JsonObject, b: JsonObject): boolean | null {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length || !keys.every((key) => Object.hasOwn(b, key))) return false
  return all(keys.map((key) => sameJson(a[key] as JsonValue, b[key] as JsonValue)))
}

function all(answers: ReadonlyArray<boolean | null>): boolean | null {
  if (answers.includes(false)) return false
  return answers.includes(null) ? null : true
}
