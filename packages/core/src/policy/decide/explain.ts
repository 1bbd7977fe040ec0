/**
 * Why a question is decided as it is, for people. Slower than deciding, and made of the same parts.
 *
 * I1. The decision explained is the one `decide` gives.
 * I2. What decided, when it is a rule or a grant, is among what matched, marked so, and nothing else is.
 */

import { whatWouldChange } from "../compare/would-change.ts"
import { compileConditions } from "../conditions/condition.ts"
import type { Judgement } from "../conditions/judgement.ts"
import { createPathLookup, type PathLookup } from "../conditions/path-lookup.ts"
import { accessClassOf } from "../rules/access-class.ts"
import { nearestRule } from "../rules/nearest-rule.ts"
import { type Remembered, serves } from "../rules/remembered.ts"
import type { Condition, Effect } from "../rules/rule.ts"
import { judgeCandidate } from "./candidates.ts"
import { type CompiledPolicy, matcherOf } from "./compile-policy.ts"
import { decide } from "./decide.ts"
import type { Because, Decision, Question } from "./decision.ts"
import { accessOfGrant, type GrantIndex, isAbout, ruleOfGrant } from "./index-grants.ts"
import { conditionsOf } from "./plan.ts"
import { describeRemembered, originText, reasonOf, ruleText } from "./sentences.ts"
import { asksAtRoots, comparesRelative, startWords } from "./start-words.ts"

export type Explanation = {
  readonly decision: Decision
  /** "held for approval because no rule matches files(write_file); the nearest is …" */
  readonly reason: string
  /** Rules and grants about this target, agent, access and session, in the policy's order. */
  readonly matched: readonly Matched[]
  /** The rule that missed by least; null when none is close. */
  readonly nearest: Nearest | null
  readonly wouldChange: readonly string[]
}

export type Matched = {
  readonly of: "rule" | "grant"
  readonly id: string
  readonly text: string
  readonly where: string
  readonly effect: Effect
  readonly judged: "holds" | "fails" | "unjudged"
  /** Why it fails or cannot be judged. */
  readonly why: string | null
  readonly decided: boolean
}

export type Nearest = { readonly id: string; readonly text: string; readonly where: string; readonly why: string }

export function explain(policy: CompiledPolicy, grants: GrantIndex, question: Question): Explanation {
  const decision = decide(policy, grants, question)
  const cause = innermost(decision.because)
  const matched = [...matchedRules(policy, question, cause), ...matchedGrants(policy, grants, question, cause)]
  const nearest = nearestTo(policy, question, matched)
  const told = cause.kind === "default" && nearest !== null ? `; the closest is ${nearest.text}: ${nearest.why}` : ""
  return {
    decision,
    reason: `${reasonOf(decision, question.target)}${told}`,
    matched,
    nearest,
    wouldChange: [...whatWouldChange(decision, question), ...changedByRoots(cause, question)],
  }
}

/** An explanation may be requested without an agent's connection, so roots are named as a possible change unless they are known. */
function changedByRoots(cause: Because, { args, hasRoots }: Question): readonly string[] {
  if (hasRoots === true) return []
  const when =
    cause.kind === "rule"
      ? conditionsOf(cause.rule)
      : cause.kind === "grant" && "when" in cause.grant.breadth
        ? (cause.grant.breadth.when ?? [])
        : []
  return comparesRelative(when, args) ? [asksAtRoots] : []
}

function innermost(because: Because): Because {
  return because.kind === "mode" ? innermost(because.instead) : because
}

function matchedRules(policy: CompiledPolicy, question: Question, cause: Because): readonly Matched[] {
  const { target, principal } = question
  const access = target.kind === "tool" ? accessClassOf(question.tool) : "unknown"
  const about = policy.policy.rules.filter((rule, order) =>
    matcherOf(rule, order).applies(target, principal.id, access),
  )
  const lookup = createPathLookup(policy.contextOf(target.server), question.hasRoots)
  return about.map((rule) => ({
    of: "rule",
    id: rule.id,
    text: ruleText(rule),
    where: originText(rule),
    effect: rule.effect,
    ...judged(policy, question, lookup, rule.effect, conditionsOf(rule)),
    decided: (cause.kind === "rule" || cause.kind === "unjudged") && cause.rule === rule,
  }))
}

function matchedGrants(
  policy: CompiledPolicy,
  grants: GrantIndex,
  question: Question,
  cause: Because,
): readonly Matched[] {
  const lookup = createPathLookup(policy.contextOf(question.target.server), question.hasRoots)
  return grants.grants
    .filter((grant) => isInForce(grant, question))
    .map((grant) => ({
      of: "grant",
      id: grant.id,
      text: describeRemembered(grant, { now: question.now }).text,
      where: "a permission",
      effect: grant.effect,
      ...judged(policy, question, lookup, grant.effect, "when" in grant.breadth ? (grant.breadth.when ?? []) : []),
      decided: isCause(grant, cause),
    }))
}

function isCause(grant: Remembered, cause: Because): boolean {
  if (cause.kind === "grant") return cause.grant === grant
  return cause.kind === "unjudged" && cause.rule.id === ruleOfGrant(grant).id
}

function isInForce(grant: Remembered, question: Question): boolean {
  const { target, now, tool } = question
  if (!serves(grant, question)) return false
  if ((grant.until !== undefined && grant.until <= now) || (grant.usesLeft !== undefined && grant.usesLeft <= 0))
    return false
  const access = target.kind === "tool" ? accessClassOf(tool) : "unknown"
  return isAbout(grant, target) && accessOfGrant(grant).includes(access)
}

function judged(
  policy: CompiledPolicy,
  question: Question,
  lookup: PathLookup,
  effect: Effect,
  when: readonly Condition[],
): Pick<Matched, "judged" | "why"> {
  if (effect === "hide" || when.length === 0) return { judged: "holds", why: null }
  const context = policy.contextOf(question.target.server)
  const judge = compileConditions(when, effect, context)
  const judgement: Judgement = judgeCandidate({ judge }, question.args, lookup)
  if (judgement === "fails") {
    const start = comparesRelative(when, question.args) ? startWords(context) : ""
    return { judged: "fails", why: `its conditions do not hold${start}` }
  }
  if (judgement !== "holds") return { judged: "unjudged", why: judgement.unjudged }
  const problem = effect === "allow" ? schemaProblem(question) : null
  return problem === null ? { judged: "holds", why: null } : { judged: "fails", why: problem }
}

/** An allow with conditions needs arguments that fit the tool's schema. */
function schemaProblem({ tool, args }: Question): string | null {
  try {
    const [problem] = tool?.check?.(args ?? {}) ?? []
    return problem === undefined ? null : `the arguments do not match the tool's schema: ${problem}`
  } catch {
    return "the arguments could not be checked against the tool's schema"
  }
}

/** A rule about this very tool whose conditions do not hold is nearer than any rule about something else. */
function nearestTo(policy: CompiledPolicy, question: Question, matched: readonly Matched[]): Nearest | null {
  const misses = matched.filter(({ of, judged: answer, decided }) => of === "rule" && answer !== "holds" && !decided)
  const almost = misses.find(({ effect }) => effect === "allow") ?? misses[0]
  if (almost !== undefined) return { id: almost.id, text: almost.text, where: almost.where, why: almost.why ?? "" }
  const miss = nearestRule(policy.policy.rules, question)
  if (miss === null) return null
  const { rule, why } = miss
  return { id: rule.id, text: ruleText(rule), where: originText(rule), why }
}
