import type { AskRule } from "./ask-needs.ts"
import { type CandidateGroup, type Conditional, groupCandidates } from "./candidates.ts"
import type { ConditionContext } from "./condition.ts"
import type { Decision, Target } from "./decision.ts"
import type { Condition, Rule } from "./rule.ts"
import { explicitAsk, plainDecision } from "./shared-decisions.ts"

/** A rule with conditions, judged per call. */
export type PlannedRule = Conditional & {
  readonly rule: Rule
  /** What a deny or allow gives when it holds. */
  readonly decision: Decision
}

/** The rules that can apply to one target. What needs no arguments is decided already. */
export type Plan = {
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

/** `rules` match the target and stand in the policy's order. */
export function makePlan(
  target: Target,
  rules: readonly Ordered[],
  surroundings: { readonly offered: boolean; readonly context: ConditionContext; readonly wait: number | null },
): Plan {
  const { offered, context, wait } = surroundings
  const alwaysAsks = rules.map(({ rule }) => rule).filter((rule) => isAsk(rule) && isUnconditional(rule)) as AskRule[]
  const always = (effect: Rule["effect"]) => unconditional(rules, effect, wait)
  return {
    hidden: always("hide") ?? (offered ? null : plainDecision("hide", { kind: "offer", server: target.server }, wait)),
    denied: always("deny"),
    alwaysAsks,
    asked: explicitAsk(alwaysAsks, target.kind, wait),
    allowed: always("allow"),
    groups: groupCandidates(
      rules.flatMap((ordered) => planRule(ordered, wait)),
      context,
    ),
  }
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

function planRule({ rule, order }: Ordered, wait: number | null): readonly PlannedRule[] {
  if (rule.effect === "hide" || isUnconditional(rule)) return []
  const decision = plainDecision(rule.effect, { kind: "rule", rule }, wait)
  return [{ effect: rule.effect, when: conditionsOf(rule), order, rule, decision }]
}
