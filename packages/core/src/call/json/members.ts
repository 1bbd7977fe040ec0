import type { JsonObject, JsonValue } from "./json.ts"
import { isRawNumber } from "./raw-number.ts"

/** An object with members: neither a list nor a number that keeps its text. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** The value as an object; undefined for everything else JSON can be. */
export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

/** Own members only: names come from outside, and `constructor` is one of them. */
export function memberAt(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  return asObject(memberAt(object, key))
}

export function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = memberAt(object, key)
  return typeof value === "string" ? value : undefined
}

export function listAt(object: JsonObject | undefined, key: string): readonly JsonValue[] | undefined {
  const value = memberAt(object, key)
  return Array.isArray(value) ? value : undefined
}

/** The object without these members; the same object when it has none of them. */
export function without(object: JsonObject, keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}
