import { asObject, type JsonValue, looksSecret } from "@byleave/core"

/** Whether a value, or anything in it, looks like a secret. No permission keeps one. */
export function hasSecret(name: string, value: JsonValue): boolean {
  if (typeof value === "string") return looksSecret(name, value)
  if (Array.isArray(value)) return value.some((item) => hasSecret(name, item))
  return Object.entries(asObject(value) ?? {}).some(([member, inner]) => hasSecret(member, inner))
}
