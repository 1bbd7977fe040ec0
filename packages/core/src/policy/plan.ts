import type { AskRule } from "./ask-needs.ts"
import { type CandidateGroup, type Conditional, groupCandidates } from "./candidates.ts"
import { type ConditionContext, compileConditions } from "./condition.ts"
import type { Decision, Target } from "./decision.ts"
import type { Rule } from "./rule.ts"
import { explicitAsk, plainDecision } from "./shared-decisions.ts"

/** A rule with conditions, judged per call. `order` is its place in the policy. */
export type PlannedRule<R extends Rule = Rule> = Conditional & {
  readonly rule: R
  readonly order: number
  /** What it gives when it holds; for asks, when it alone does. */
  readonly decision: Decision
}

/** The rules that can apply to one target. What needs no arguments is decided already. */
export type Plan = {
  readonly hidden: Decision | null
  readonly denied: Decision | null
  readonly denies: ReadonlyArray<CandidateGroup<PlannedRule>>
  /** Asks without conditions; `asked` is what they come to when no other ask holds. */
  readonly alwaysAsks: readonly AskRule[]
  readonly asked: Decision | null
  readonly asks: ReadonlyArray<CandidateGroup<PlannedRule<AskRule>>>
  readonly allowed: Decision | null
  readonly allows: ReadonlyArray<CandidateGroup<PlannedRule>>
}

export type Ordered = { readonly rule: Rule; readonly order: number }

/** `rules` match the target and stand in the policy's order. */
export function makePlan(
  target: Target,
  rules: readonly Ordered[],
  surroundings: { readonly offered: boolean; readonly context: ConditionContext; readonly wait: number | null },
): Plan {
  const { offered, context, wait } = surroundings
  const alwaysAsks = rules
    .map(({ rule }) => rule)
    .filter(isAsk)
    .filter(isUnconditional)
  const always = (effect: Rule["effect"]) => unconditional(rules, effect, wait)
  const sometimes = (effect: "deny" | "allow") =>
    rules.flatMap(({ rule, order }) =>
      rule.effect === effect && !isUnconditional(rule) ? [planRule(rule, order, effect, context, wait)] : [],
    )
  const asks = rules.flatMap(({ rule, order }) =>
    isAsk(rule) && !isUnconditional(rule) ? [planRule(rule, order, "ask", context, wait)] : [],
  )
  return {
    hidden: always("hide") ?? (offered ? null : plainDecision("hide", { kind: "offer", server: target.server }, wait)),
    denied: always("deny"),
    denies: groupCandidates(sometimes("deny")),
    alwaysAsks,
    asked: explicitAsk(alwaysAsks, target.kind, wait),
    asks: groupCandidates(asks),
    allowed: always("allow"),
    allows: groupCandidates(sometimes("allow")),
  }
}

export function conditionsOf(rule: Rule): NonNullable<Extract<Rule, { effect: "deny" }>["when"]> {
  return rule.effect === "hide" ? [] : (rule.when ?? [])
}

export function isUnconditional(rule: Rule): boolean {
  return conditionsOf(rule).length === 0
}

function isAsk(rule: Rule): rule is AskRule {
  return rule.effect === "ask"
}

function unconditional(rules: readonly Ordered[], effect: Rule["effect"], wait: number | null): Decision | null {
  const first = rules.find(({ rule }) => rule.effect === effect && isUnconditional(rule))
  return first === undefined ? null : plainDecision(effect, { kind: "rule", rule: first.rule }, wait)
}

function planRule<R extends Rule>(
  rule: R,
  order: number,
  effect: "allow" | "deny" | "ask",
  context: ConditionContext,
  wait: number | null,
): PlannedRule<R> {
  const when = conditionsOf(rule)
  return {
    rule,
    order,
    when,
    judge: compileConditions(when, effect, context),
    decision: plainDecision(effect, { kind: "rule", rule }, wait),
  }
}
