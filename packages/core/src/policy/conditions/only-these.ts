/**
 * The arguments that may be given, by name.
 *
 * I1. A name stands for a plain value or a list of plain values. Members of an object, also in a list, are named one by one.
 * I2. `options.*` stands for whatever is in `options`.
 */
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { anyArgument, keySegments } from "./argument-key.ts"

type Allowed = { isPlain: boolean; isAnything: boolean; readonly members: Map<string, Allowed> }

/** Whether an object has no other members than these dotted names. Elements of a list stand for the list; null: it is no object. */
export function compileOnly(names: readonly string[]): (value: JsonValue) => boolean | null {
  const allowed = allowedBy(names)
  return (value) => (isObject(value) ? hasOnly(value, allowed) : null)
}

function allowedBy(names: readonly string[]): Allowed {
  const all = nothing()
  for (const name of names) {
    let at = all
    for (const segment of keySegments(name)) {
      if (segment === anyArgument) at.isAnything = true
      const next = at.members.get(segment) ?? nothing()
      at.members.set(segment, next)
      at = next
    }
    at.isPlain = true
  }
  return all
}

function nothing(): Allowed {
  return { isPlain: false, isAnything: false, members: new Map() }
}

function hasOnly(value: JsonValue, allowed: Allowed): boolean {
  if (allowed.isAnything) return true
  if (Array.isArray(value)) return value.every((item) => hasOnly(item, allowed))
  if (!isObject(value)) return allowed.isPlain
  return Object.entries(value).every(([name, inner]) => {
    const further = allowed.members.get(name)
    return further !== undefined && hasOnly(inner, further)
  })
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value)
}
