import { type AskNeeds, type AskRule, asksEveryTime, combineNeeds } from "../rules/ask-needs.ts"
import type { Effect, Policy, TargetKind } from "../rules/rule.ts"
import type { Because, Decision } from "./decision.ts"

/** A decision that asks nobody: it carries no demands on reviewers. */
export function plainDecision(effect: Effect, because: Because, wait: number | null, wouldAsk = false): Decision {
  return Object.freeze({ effect, because, remember: "allowed", approvals: 1, reviewers: noGroups, wouldAsk, wait })
}

export function askDecision(because: Because, remember: Decision["remember"], needs: AskNeeds): Decision {
  const { approvals, reviewers, wait } = needs
  return Object.freeze({ effect: "ask", because, remember, approvals, reviewers, wouldAsk: false, wait })
}

/** The combined decision of these ask rules; it names the first one that must be asked every time, else the first. */
export function explicitAsk(rules: readonly AskRule[], kind: TargetKind, wait: number | null): Decision | null {
  const rule = rules.find(asksEveryTime) ?? rules[0]
  if (rule === undefined) return null
  // Grants are about tools alone, so an answer about anything else cannot be remembered.
  const remember = asksEveryTime(rule) || kind !== "tool" ? "never" : "allowed"
  return askDecision({ kind: "rule", rule }, remember, combineNeeds(rules, wait))
}

/** The decisions that depend on nothing but the policy, made once so that judging a call makes none. */
export type SharedDecisions = {
  readonly asks: Decision
  /** As `asks`, where the answer cannot be remembered. */
  readonly asksOnce: Decision
  readonly denies: Decision
  readonly allows: Decision
  readonly autonomous: Decision
  readonly observed: Decision
  readonly passes: Decision
  readonly startsCoolDown: Decision
  readonly quarantined: Decision
  readonly otherProgram: Decision
  readonly rejected: Decision
}

export function sharedDecisions(policy: Policy): SharedDecisions {
  const byDefault: Because = { kind: "default" }
  const decided = (effect: Effect, because: Because, wouldAsk = false) =>
    plainDecision(effect, because, policy.wait, wouldAsk)
  return {
    asks: askDecision(byDefault, "allowed", combineNeeds([], policy.wait)),
    asksOnce: askDecision(byDefault, "never", combineNeeds([], policy.wait)),
    denies: decided("deny", byDefault),
    allows: decided("allow", byDefault),
    autonomous: decided("allow", { kind: "mode", mode: "autonomous", instead: byDefault }),
    observed: decided("allow", { kind: "mode", mode: "observe", instead: byDefault }, true),
    passes: decided("allow", { kind: "passes" }),
    startsCoolDown: decided("allow", { kind: "starts-cool-down" }),
    quarantined: decided("hide", { kind: "pin", pin: "quarantined" }),
    rejected: decided("deny", { kind: "pin", pin: "rejected" }),
    otherProgram: decided("deny", { kind: "pin", pin: "other-program" }),
  }
}

const noGroups: readonly string[] = Object.freeze([])
