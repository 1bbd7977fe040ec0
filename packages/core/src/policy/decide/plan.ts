import type { ConditionContext } from "../conditions/condition.ts"
import type { AskRule } from "../rules/ask-needs.ts"
import type { Condition, Rule } from "../rules/rule.ts"
import { type CandidateGroup, type Conditional, createGrouper } from "./candidates.ts"
import type { Because, Decision, Target } from "./decision.ts"
import { explicitAsk, plainDecision } from "./shared-decisions.ts"

/** A rule with conditions, judged per call. */
export type PlannedRule = Conditional & {
  readonly rule: Rule
  /** The decision that a deny or allow gives if it holds. */
  readonly decision: Decision
}

/** The rules that can apply to one target. Rules that need no arguments are decided already. */
export type TargetPlan = {
  readonly hidden: Decision | null
  readonly denied: Decision | null
  /** Asks without conditions; `asked` is what they come to when no other ask holds. */
  readonly alwaysAsks: readonly AskRule[]
  readonly asked: Decision | null
  readonly allowed: Decision | null
  /** Rules with conditions. */
  readonly groups: ReadonlyArray<CandidateGroup<PlannedRule>>
}

export type Ordered = { readonly rule: Rule; readonly order: number }

/** Makes plans from rules that match the target, in the policy's order. */
export type Planner = (
  target: Target,
  rules: readonly Ordered[],
  surroundings: { readonly offered: boolean; readonly context: ConditionContext },
) => TargetPlan

export function createPlanner(wait: number | null): Planner {
  const group = createGrouper<PlannedRule>()
  const planned = new WeakMap<Rule, PlannedRule>()

  function plannedRule({ rule, order }: Ordered): readonly PlannedRule[] {
    if (rule.effect === "hide" || isUnconditional(rule)) return []
    const known = planned.get(rule)
    if (known !== undefined) return [known]
    const decision = plainDecision(rule.effect, { kind: "rule", rule }, wait)
    const made = { effect: rule.effect, when: conditionsOf(rule), order, rule, decision }
    planned.set(rule, made)
    return [made]
  }

  return (target, rules, { offered, context }) => {
    const alwaysAsks = rules
      .map(({ rule }) => rule)
      .filter(isAsk)
      .filter(isUnconditional)
    const always = (effect: Rule["effect"]) => unconditional(rules, effect, wait)
    const unoffered = offered ? null : plainDecision("hide", whyNotOffered(target), wait)
    return {
      hidden: always("hide") ?? unoffered,
      denied: always("deny"),
      alwaysAsks,
      asked: explicitAsk(alwaysAsks, target.kind, wait),
      allowed: always("allow"),
      groups: group(rules.flatMap(plannedRule), context),
    }
  }
}

function whyNotOffered({ kind, server }: Target): Because {
  return kind === "method" ? { kind: "unknown-method" } : { kind: "offer", server }
}

export function conditionsOf(rule: Rule): readonly Condition[] {
  return rule.effect === "hide" ? [] : (rule.when ?? [])
}

export function isUnconditional(rule: Rule): boolean {
  return conditionsOf(rule).length === 0
}

export function isAsk(rule: Rule): rule is AskRule {
  return rule.effect === "ask"
}

function unconditional(rules: readonly Ordered[], effect: Rule["effect"], wait: number | null): Decision | null {
  const first = rules.find(({ rule }) => rule.effect === effect && isUnconditional(rule))
  return first === undefined ? null : plainDecision(effect, { kind: "rule", rule: first.rule }, wait)
}
