import type { JsonObject, JsonValue } from "../call/json/json.ts"
import { keySegments } from "../policy/conditions/argument-key.ts"
import type { Breadth } from "../policy/rules/remembered.ts"
import type { Condition } from "../policy/rules/rule.ts"
import type { Redactor } from "./redact.ts"

/** How far a grant reaches, as it is recorded: what a condition compares with is redacted as the argument itself would be. */
export function redactedBreadth(breadth: Breadth, redactor: Redactor): JsonObject {
  const redacted = redactor.redact(breadth as JsonObject) as JsonObject
  if (!("when" in breadth) || breadth.when === undefined) return redacted
  return { ...redacted, when: breadth.when.map((condition) => redactedCondition(condition, redactor)) }
}

function redactedCondition(condition: Condition, redactor: Redactor): JsonObject {
  const { key, op, ...operand } = condition
  const names = keySegments(key)
  return { key: redactor.redactText(key), op, ...(underNames(operand, names, redactor) as JsonObject) }
}

/** `{ value }` of the key `a.b` as the redactor sees `{ a: { b: { value } } }`. */
function underNames(operand: JsonObject, names: readonly string[], redactor: Redactor): JsonValue {
  const nested = names.toReversed().reduce((inner: JsonObject, name) => Object.fromEntries([[name, inner]]), operand)
  return names.reduce((outer: JsonValue) => Object.values(outer as JsonObject)[0] as JsonValue, redactor.redact(nested))
}
