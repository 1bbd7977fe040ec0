import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { isRawNumber } from "../call/json/raw-number.ts"

/** The value as an object with members; null for everything else, lists and raw numbers included. */
export function asObject(value: JsonValue | undefined): JsonObject | null {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isRawNumber(value)) return null
  return value as JsonObject
}
