import {
  type AccessBreadth,
  type Condition,
  type Effect,
  formatTargetPattern,
  type JsonValue,
  type Rule,
} from "@byleave/core"
import { formatDuration } from "../read/duration.ts"
import { withoutReferences } from "../read/environment.ts"
import { given } from "../read/fields.ts"
import { itemLines } from "./flow-text.ts"

export type WrittenRule = { readonly [E in Effect]?: string } & {
  readonly when?: { readonly [key: string]: { readonly [operator: string]: JsonValue } }
  readonly access?: AccessBreadth
  readonly principal?: string
  readonly reason?: string
  readonly approvals?: number
  readonly remember?: "never"
  readonly reviewers?: readonly string[]
  readonly wait?: string
}

/** The text of a rule as data, in the order people write it; undefined for two conditions a file cannot hold side by side. */
export function writtenRule(rule: Rule): WrittenRule | undefined {
  const when = rule.effect === "hide" || rule.when === undefined ? undefined : writtenConditions(rule.when)
  if (when === null) return undefined
  const asks = rule.effect === "ask" ? rule : undefined
  return {
    [rule.effect]: formatTargetPattern(rule.target),
    ...given("access", rule.access),
    ...given("principal", rule.principal),
    ...given("when", when),
    // A file may not hold a reason that says nothing; a rule as data may.
    ...given("reason", rule.reason?.trim() === "" ? undefined : rule.reason),
    ...given("approvals", asks?.approvals),
    ...given("remember", asks?.remember),
    ...given("reviewers", asks?.reviewers),
    ...given("wait", asks?.wait === undefined ? undefined : writtenWait(asks.wait)),
  }
}

/** A rule as an entry of `policy.rules`, with its dash; undefined as above. */
export function ruleLines(rule: Rule): string | undefined {
  const written = writtenRule(rule)
  return written === undefined ? undefined : itemLines(written as { readonly [key: string]: JsonValue }).join("\n")
}

function writtenWait(wait: number | null): string {
  return wait === null ? "never" : formatDuration(wait)
}

function writtenConditions(conditions: readonly Condition[]): WrittenRule["when"] | null {
  const byKey = new Map<string, Map<string, JsonValue>>()
  for (const condition of conditions) {
    const operators = byKey.get(condition.key) ?? new Map<string, JsonValue>()
    if (operators.has(condition.op)) return null
    byKey.set(condition.key, operators.set(condition.op, operandOf(condition)))
  }
  return Object.fromEntries([...byKey].map(([key, operators]) => [key, Object.fromEntries(operators)]))
}

function operandOf(condition: Condition): JsonValue {
  switch (condition.op) {
    case "equals":
    case "atMost":
    case "atLeast":
    case "sensitive":
      return condition.value
    case "oneOf":
      return condition.values
    case "glob":
      return condition.pattern
    case "under":
      return withoutReferences(condition.folder)
    case "directlyIn":
      return condition.folders.map(withoutReferences)
    case "file":
      return withoutReferences(condition.path)
    case "only":
      return condition.names
    case "host":
      return condition.patterns
  }
}
