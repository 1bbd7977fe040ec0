import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { isSecretKey } from "./secret-key.ts"

/** The words shown in place of a secret. */
export function secretInWords(length: number): string {
  return `secret, ${length} ${length === 1 ? "character" : "characters"}`
}

function secretMask(length: number): string {
  return `‹${secretInWords(length)}›`
}

/** The value with everything masked that stands under a secret's name, as in what is recorded. */
export function maskSecrets(value: JsonValue, isSecret: boolean): JsonValue {
  if (value === null || typeof value === "boolean" || value === "") return value
  if (typeof value === "string") return isSecret ? secretMask(value.length) : value
  if (typeof value === "number") return isSecret ? secretMask(String(value).length) : value
  if (isRawNumber(value)) return isSecret ? secretMask(value.rawJSON.length) : value
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, isSecret))
  const entries = Object.entries(value as JsonObject)
  return Object.fromEntries(entries.map(([key, inner]) => [key, maskSecrets(inner, isSecret || isSecretKey(key))]))
}
