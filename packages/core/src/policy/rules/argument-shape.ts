import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { anyArgument, keyOf } from "../conditions/argument-key.ts"

/** A call with more values than this, or with deeper ones, is no habit to make a rule of. */
const mostValues = 500
const deepest = 4
/** A rule that names more arguments is none that a person would read. */
export const mostNames = 40

/** `[]` and `{}`: a list or an object with nothing in it. A rule that leaves it open would let anything in. */
export type ValueKind = "text" | "number" | "switch" | "null" | "[]" | "{}"

/** All values of a call's arguments by dotted key; elements of lists stand under the list's key. */
export type ArgumentShape = ReadonlyMap<string, KeyValues>
export type KeyValues = { readonly kind: ValueKind | "mixed"; readonly values: readonly JsonValue[] }

/** Null: more, deeper or stranger than anybody would make a rule of. */
export function argumentShape(args: JsonObject): ArgumentShape | null {
  const known = shapesKnown.get(args)
  if (known !== undefined) return known
  const shape = shapeOf(args)
  shapesKnown.set(args, shape)
  return shape
}

/** The dotted names of a call's arguments, as the condition `only` has them; null: there are too many. */
export function argumentNames(args: JsonObject): readonly string[] | null {
  const shape = argumentShape(args)
  return shape === null || shape.size > mostNames ? null : [...shape.keys()].sort()
}

const shapesKnown = new WeakMap<JsonObject, ArgumentShape | null>()

function shapeOf(args: JsonObject): ArgumentShape | null {
  const found = new Map<string, { kind: KeyValues["kind"]; values: JsonValue[] }>()
  let left = mostValues
  const walk = (value: JsonValue, segments: readonly string[]): boolean => {
    if (left-- <= 0 || segments.length > deepest) return false
    const kind = kindOf(value)
    if (kind !== null) {
      const key = keyOf(segments)
      const before = found.get(key)
      if (before === undefined) found.set(key, { kind, values: [value] })
      else {
        if (before.kind !== kind) before.kind = "mixed"
        before.values.push(value)
      }
      return true
    }
    if (Array.isArray(value)) return value.every((item) => walk(item, segments))
    return everyMember(value as JsonObject, segments)
  }
  const everyMember = (value: JsonObject, segments: readonly string[]): boolean =>
    // In a rule, this name would stand for any other.
    Object.entries(value).every(([name, inner]) => name !== anyArgument && walk(inner, [...segments, name]))
  return everyMember(args, []) ? found : null
}

/** Null: it has members or elements, which have kinds of their own. */
function kindOf(value: JsonValue): ValueKind | null {
  if (value === null) return "null"
  if (typeof value === "string") return "text"
  if (typeof value === "boolean") return "switch"
  if (typeof value === "number" || isRawNumber(value)) return "number"
  if (Array.isArray(value)) return value.length === 0 ? "[]" : null
  return Object.keys(value).length === 0 ? "{}" : null
}
