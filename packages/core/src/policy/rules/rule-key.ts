import { conditionsOf } from "../decide/plan.ts"
import type { Condition, Rule } from "./rule.ts"

/** The effect of a rule as text: equal only for rules that differ in nothing but id, reason or place. */
export function ruleKey(rule: Rule): string {
  const { server, kind, name, whole } = rule.target
  const when = conditionsOf(rule).map(conditionKey)
  const matching = [rule.effect, server, kind, name, whole, rule.access ?? "all", rule.principal ?? null, when]
  if (rule.effect !== "ask") return JSON.stringify(matching)
  const { approvals = 1, reviewers = [], remember = null, wait = "as the policy says" } = rule
  return JSON.stringify([...matching, approvals, [...reviewers].sort(), remember, wait])
}

function conditionKey(condition: Condition): string {
  const { key, op, ...operand } = condition
  return JSON.stringify([key, op, operand])
}
