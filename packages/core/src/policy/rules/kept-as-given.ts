import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { anyArgument, keyOf, keySegments } from "../conditions/argument-key.ts"
import { compileConditions } from "../conditions/condition.ts"
import { argumentNames, argumentShape } from "./argument-shape.ts"
import type { Condition } from "./rule.ts"

/** A rule that compares with longer values is none that a person would read. */
const longestCondition = 300

/**
 * The conditions that keep the arguments of one call as they are, but for the keys `except`; null: they are more than a rule can say. Lists are kept
 * whole, unless all that is in them is excepted. Other arguments may not be given, and nothing that looks sensitive, unless the call itself does.
 */
export function keptAsGiven(args: JsonObject, except: ReadonlySet<string>): readonly Condition[] | null {
  const shape = argumentShape(args)
  const names = argumentNames(args)
  if (shape === null || names === null) return null
  const kept = new Map<string, Condition>()
  for (const [key, { values }] of shape) {
    if (except.has(key)) continue
    const [top = ""] = keySegments(key)
    const whole = args[top] as JsonValue
    if (hasList(whole)) kept.set(top, { key: keyOf([top]), op: "equals", value: whole })
    else kept.set(key, { key, op: "equals", value: values[0] as JsonValue })
  }
  const conditions = [...kept.values()]
  if (conditions.some((one) => canonicalJson(one as unknown as JsonValue).length > longestCondition)) return null
  const isPlain = compileConditions([guard], "allow", {})(args) === "holds"
  return [...conditions, ...(isPlain ? [guard] : []), { key: anyArgument, op: "only", names }]
}

function hasList(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return false
  return Array.isArray(value) || Object.values(value).some(hasList)
}

/** A broad yes covers nothing that looks sensitive. */
export const guard: Condition = { key: anyArgument, op: "sensitive", value: false }

/** One of these values, in an order that does not depend on which call came first. */
export function choiceCondition(key: string, given: readonly JsonValue[]): Condition {
  const values = given.toSorted((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1))
  const [only] = values
  return values.length === 1 && only !== undefined ? { key, op: "equals", value: only } : { key, op: "oneOf", values }
}
