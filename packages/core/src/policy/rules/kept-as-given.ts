import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { anyArgument, keySegments } from "../conditions/argument-key.ts"
import { isNamedAsProse } from "../risks/argument-kind.ts"
import { argumentNames, argumentShape } from "./argument-shape.ts"
import type { Condition } from "./rule.ts"

/** A rule that compares with longer values is none that a person would read. */
const longestCondition = 300

/**
 * The conditions that keep the arguments of one call as they are, but for `except` and for free text; null: they are more than a rule can say. A read
 * may have other texts and numbers. Other arguments may not be given.
 */
export function keptAsGiven(
  args: JsonObject,
  { except, isRead }: { readonly except: string; readonly isRead: boolean },
): readonly Condition[] | null {
  const shape = argumentShape(args)
  const names = argumentNames(args)
  if (shape === null || names === null) return null
  const conditions = [...shape].flatMap(([key, { kind, values }]): readonly Condition[] => {
    if (key === except || (isRead && (kind === "text" || kind === "number"))) return []
    if (kind === "text" && isNamedAsProse(keySegments(key).at(-1) ?? "")) return []
    return [choiceCondition(key, [...new Map(values.map((value) => [canonicalJson(value), value])).values()])]
  })
  if (conditions.some((one) => canonicalJson(one as unknown as JsonValue).length > longestCondition)) return null
  return [...conditions, { key: anyArgument, op: "only", names }]
}

/** One of these values, in an order that does not depend on which call came first. */
export function choiceCondition(key: string, given: readonly JsonValue[]): Condition {
  const values = given.toSorted((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1))
  const [only] = values
  return values.length === 1 && only !== undefined ? { key, op: "equals", value: only } : { key, op: "oneOf", values }
}
