import { isRawNumber, type JsonObject, type JsonValue, looksSecret } from "@byleave/core"
import { readCutJson } from "./cut-json.ts"

/** A text or number as it was written; null for everything else, which nobody keeps secrets in. */
export function scalarText(value: JsonValue): string | null {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return isRawNumber(value) ? value.rawJSON : null
}

/** Whether everything under this name is taken for a secret. */
export function isSecretName(name: string): boolean {
  return looksSecret(name, "x")
}

/** As records say that a secret was not even kept. */
const leftOut = /^‹secret, \d+ characters?›$/

/** Whether a text or number is masked until somebody wants to see it. `isWithin`: it stands within something called a secret. */
export function isMasked(text: string, name: string, isWithin: boolean): boolean {
  return text !== "" && !leftOut.test(text) && (isWithin || looksSecret(name, text))
}

export type Masked = {
  readonly value: JsonValue
  /** How many values were masked. */
  readonly count: number
}

/** The value with `mask` in place of each masked part. Elements of a list stand under the list's own name. */
export function maskValue(value: JsonValue, name: string, mask: (length: number) => string): Masked {
  let count = 0
  const masked = (inner: JsonValue, under: string, isWithin: boolean): JsonValue => {
    const text = scalarText(inner)
    if (text !== null) {
      if (!isMasked(text, under, isWithin)) return inner
      count += 1
      return mask(text.length)
    }
    if (inner === null || typeof inner === "boolean") return inner
    if (Array.isArray(inner)) return inner.map((item) => masked(item, under, isWithin))
    const entries = Object.entries(inner as JsonObject)
    return Object.fromEntries(entries.map(([key, each]) => [key, masked(each, key, isWithin || isSecretName(key))]))
  }
  return { value: masked(value, name, isSecretName(name)), count }
}

/** Whether a text that a tool gave holds what looks like a secret: by its shape or, where it is JSON, also by a name. Its end may be missing. */
export function holdsSecret(text: string): boolean {
  if (looksSecret("", text)) return true
  if (!/^\s*[[{]/.test(text)) return false
  const value = readCutJson(text)
  if (value !== undefined) return maskValue(value, "", () => "").count > 0
  return [...text.matchAll(/"([^"\\]{1,64})"\s*:/g)].some(([, name = ""]) => isSecretName(name))
}
