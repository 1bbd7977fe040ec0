import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { keySegments } from "./argument-key.ts"

/** Names that may be given, as a tree. One without further names stands for everything in it. */
type Names = Map<string, Names>

/** Whether an object has no other members than these dotted names. Elements of a list stand for the list; null: it is no object. */
export function compileOnly(names: readonly string[]): (value: JsonValue) => boolean | null {
  const tree = treeOf(names)
  return (value) => (isObject(value) ? hasOnly(value, tree) : null)
}

function treeOf(names: readonly string[]): Names {
  const tree: Names = new Map()
  const whole = new Set<Names>()
  for (const name of names) {
    let at = tree
    for (const segment of keySegments(name)) {
      const next = at.get(segment) ?? new Map()
      at.set(segment, next)
      at = next
    }
    whole.add(at)
  }
  for (const one of whole) one.clear()
  return tree
}

function hasOnly(value: JsonValue, names: Names): boolean {
  if (Array.isArray(value)) return value.every((item) => isAmong(item, names))
  return (
    isObject(value) &&
    Object.entries(value).every(([name, inner]) => {
      const further = names.get(name)
      return further !== undefined && isAmong(inner, further)
    })
  )
}

function isAmong(value: JsonValue, names: Names): boolean {
  return names.size === 0 || hasOnly(value, names)
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value)
}
