/**
 * The policy's decision about a call. Pure: the same question gets the same answer.
 *
 * Order: quarantine > hide (rule, or not offered) > deny (rule or grant, or a rejected definition) > what cannot be judged and asks marked `remember: never` >
 * an allowing grant > ask > allow > the default. Then pins, the session's mode and limits.
 *
 * I1. No grant beats a hide or a deny.
 * I2. Nothing is allowed while a deny or ask that is about it, rule or grant, cannot be judged.
 * I3. A session's grant serves no other session.
 * I4. No allow, by rule, grant, default or mode, covers a tool that changed or appeared.
 * I5. An unattended session is never asked, nor any session under an unattended policy; changing that policy still is.
 * I6. The order of rules and of grants never changes an effect or what an ask demands, unless there is too much work for all of them: what is left over
 *     then cannot be judged.
 * I7. An empty policy asks about every tool.
 * I8. An allow with conditions needs each of them to hold and arguments that fit the tool's schema.
 * I9. An ask marked `remember: never`, or that wants several or certain reviewers, is never answered by a grant or a mode, and its
 *     answer is never kept.
 * I10. A read that is only a label satisfies no allow by access.
 * I11. A forbidden mode is no mode.
 * I12. Beyond a limit nothing runs unasked.
 * I13. A mode never lowers what an ask demands: what stands instead of an ask carries its demands, so that whoever turns it back
 *      into an ask asks for as much.
 * I14. What a reviewer has put in quarantine is hidden, and a definition that a reviewer rejected is denied, whatever else is said.
 * I15. What is not a tool is denied as long as nobody has accepted the program that it comes from.
 *
 * Without arguments (a listing) conditions cannot be judged, so an ask then says no more than "not hidden, not always denied".
 * Targets other than tools have no pins or grants, and of the modes only `unattended` concerns them: nobody is there to be asked. They pass
 * if no rule is about them, except a method beyond MCP's own, which nobody has reviewed: the default applies to it. They have no limits; a cool-down
 * may start with them.
 */

import { assertNever } from "../../call/assert-never.ts"
import { createPathLookup, type PathLookup } from "../conditions/path-lookup.ts"
import { type AccessClass, accessClassOf, mayWrite } from "../rules/access-class.ts"
import type { AskRule } from "../rules/ask-needs.ts"
import { autonomyOf, policyMode } from "../rules/autonomy.ts"
import type { Condition, Mode, Rule } from "../rules/rule.ts"
import { ownServer } from "../rules/target-pattern.ts"
import { type Candidate, judgeCandidate, noCandidates, pickCandidates } from "./candidates.ts"
import type { CompiledPolicy } from "./compile-policy.ts"
import type { Because, Decision, Question } from "./decision.ts"
import { exceededLimit } from "./exceeded-limit.ts"
import { type GrantIndex, type GrantPlan, type PlannedGrant, ruleOfGrant } from "./index-grants.ts"
import { runsInPart } from "./partial-autonomy.ts"
import { isAsk, type PlannedRule, type TargetPlan } from "./plan.ts"
import { askDecision, explicitAsk } from "./shared-decisions.ts"

export function decide(policy: CompiledPolicy, grants: GrantIndex, question: Question): Decision {
  const { target, tool } = question
  if (tool?.pin === "quarantined" || question.isQuarantined === true) return policy.shared.quarantined
  const access = accessClassOf(tool)
  const plan = policy.planFor(target, question.principal.id, access)
  const always = plan.hidden ?? plan.denied
  if (always !== null) return always

  const remembered = grants.planFor(policy, target, question)
  const lookup = createPathLookup(policy.contextOf(target.server), question.hasRoots)
  const findings: Findings = { doubt: null, doubtOrder: 0, asks: null, allow: null, fits: null, lookup }
  const denied = judgeRules(plan, question, findings) ?? denyingGrant(remembered, access, question, findings)
  if (denied !== null) return denied
  if (tool?.pin === "rejected") return policy.shared.rejected
  if (question.isOtherProgram === true) return policy.shared.otherProgram

  const asked = whatIsAsked(policy, plan, question, findings)
  if (asked !== null && asked.remember === "never") return unlessUnattended(policy, question, asked)
  if (target.kind !== "tool") return plan.allowed ?? fittingAllow(question, findings) ?? withoutRule(policy, question)

  const outcome =
    allowingGrant(remembered, access, question, findings) ??
    asked ??
    plan.allowed ??
    fittingAllow(question, findings) ??
    byDefault(policy)
  if (outcome.effect === "deny") return outcome
  const kinds = question.state.mode === "ask" ? [] : autonomyOf(modeOf(policy, question))
  const runsAnyway =
    kinds.length > 0 &&
    outcome.because.kind === "default" &&
    runsInPart(kinds, {
      ...{ policy, server: target.server, args: question.args, lookup },
      allows: () => allowConditions(plan, remembered, access, question),
      fitsSchema: () => fitsSchema(question, findings),
    })
  return settle(policy, question, outcome, { asked, runsAnyway })
}

/** The conditions of all allows about the target that are in force. */
function allowConditions(
  plan: TargetPlan,
  remembered: GrantPlan,
  access: AccessClass,
  question: Question,
): ReadonlyArray<readonly Condition[]> {
  const rules = plan.groups.flatMap(({ all }) => all.allow.map(({ of }) => of.when))
  const grants = remembered.allows.flatMap((planned) => {
    const { breadth } = planned.grant
    const when = "when" in breadth ? breadth.when : undefined
    return when === undefined || !isInForce(planned, access, question) ? [] : [when]
  })
  return [...rules, ...grants]
}

/** The findings on the way to a decision. */
type Findings = {
  /** A deny or ask that could not be judged: of several, the first in the policy. */
  doubt: Because | null
  doubtOrder: number
  /** Asks with conditions that hold, or may hold. */
  asks: AskRule[] | null
  /** An allow whose conditions hold; whether the arguments fit the schema is still to be seen. */
  allow: Decision | null
  /** Whether the arguments fit the schema; null: nobody has asked yet. */
  fits: boolean | null
  readonly lookup: PathLookup
}

/** Judges the rules with conditions, each group looked up once. Gives the deny that holds. */
function judgeRules(plan: TargetPlan, question: Question, findings: Findings): Decision | null {
  const { args } = question
  for (const group of plan.groups) {
    const bucket = pickCandidates(group, args)
    if (bucket === noCandidates) continue
    for (const candidate of bucket.deny) {
      const judgement = judgeCandidate(candidate, args, findings.lookup)
      if (judgement === "holds") return candidate.of.decision
      if (judgement !== "fails") doubt(findings, candidate.of.rule, candidate.of.order, judgement.unjudged)
    }
    for (const candidate of bucket.ask) noteAsk(candidate, args, findings)
    if (plan.allowed === null && findings.allow === null) findings.allow = holdingAllow(bucket.allow, args, findings)
  }
  return null
}

function holdingAllow(
  allows: ReadonlyArray<Candidate<PlannedRule>>,
  args: Question["args"],
  { lookup }: Findings,
): Decision | null {
  for (const candidate of allows) if (judgeCandidate(candidate, args, lookup) === "holds") return candidate.of.decision
  return null
}

function noteAsk(candidate: Candidate<PlannedRule>, args: Question["args"], findings: Findings): void {
  const judgement = judgeCandidate(candidate, args, findings.lookup)
  const { rule, order } = candidate.of
  if (judgement === "fails" || !isAsk(rule)) return
  if (judgement !== "holds") doubt(findings, rule, order, judgement.unjudged)
  if (findings.asks === null) findings.asks = [rule]
  else findings.asks.push(rule)
}

function denyingGrant(
  remembered: GrantPlan,
  access: AccessClass,
  question: Question,
  findings: Findings,
): Decision | null {
  for (const planned of remembered.denies) {
    if (!isInForce(planned, access, question)) continue
    const judgement = judgeCandidate(planned, question.args, findings.lookup)
    if (judgement === "fails") continue
    if (judgement === "holds") return planned.decision
    doubt(findings, ruleOfGrant(planned.grant), Number.MAX_SAFE_INTEGER, judgement.unjudged)
  }
  return null
}

function doubt(findings: Findings, rule: Rule, order: number, why: string): void {
  if (findings.doubt !== null && findings.doubtOrder <= order) return
  findings.doubt = { kind: "unjudged", rule, why }
  findings.doubtOrder = order
}

/** All asks together; a doubt cannot be answered by a grant, so its answer is not to be kept. */
function whatIsAsked(
  policy: CompiledPolicy,
  plan: TargetPlan,
  question: Question,
  findings: Findings,
): Decision | null {
  const { wait } = policy.policy
  const asked =
    findings.asks === null
      ? plan.asked
      : explicitAsk([...plan.alwaysAsks, ...findings.asks], question.target.kind, wait)
  if (findings.doubt === null) return asked
  return askDecision(findings.doubt, "never", asked ?? policy.shared.asks)
}

function allowingGrant(
  remembered: GrantPlan,
  access: AccessClass,
  question: Question,
  findings: Findings,
): Decision | null {
  for (const planned of remembered.allows) {
    if (!isInForce(planned, access, question)) continue
    if (planned.judge === null) return planned.decision
    const judgement = judgeCandidate(planned, question.args, findings.lookup)
    if (judgement === "holds" && fitsSchema(question, findings)) return planned.decision
  }
  return null
}

function isInForce(planned: PlannedGrant, access: AccessClass, question: Question): boolean {
  return planned.until > question.now && planned.access.includes(access)
}

function fittingAllow(question: Question, findings: Findings): Decision | null {
  return findings.allow !== null && fitsSchema(question, findings) ? findings.allow : null
}

/** Looked at once, however many allows ask. */
function fitsSchema(question: Question, findings: Findings): boolean {
  findings.fits ??= doesFitSchema(question)
  return findings.fits
}

/** A check that breaks down has not said that the arguments fit. */
function doesFitSchema(question: Question): boolean {
  const check = question.tool?.check
  if (question.args === undefined) return false
  if (check === undefined) return true
  try {
    return check(question.args).length === 0
  } catch {
    return false
  }
}

/** The decision about a target that is not a tool and that no rule is about. */
function withoutRule(policy: CompiledPolicy, question: Question): Decision {
  const { target } = question
  if (target.kind !== "method")
    return policy.startsCoolDown(target) ? policy.shared.startsCoolDown : policy.shared.passes
  const decision = byDefault(policy)
  return decision.effect === "ask" ? unlessUnattended(policy, question, policy.shared.asksOnce) : decision
}

function byDefault(policy: CompiledPolicy): Decision {
  switch (policy.policy.default) {
    case "ask":
      return policy.shared.asks
    case "deny":
      return policy.shared.denies
    case "allow":
      return policy.shared.allows
    default:
      return assertNever(policy.policy.default)
  }
}

/** `asked`: what the asks together want. `runsAnyway`: the session is autonomous, wholly or in part, and so far that the call runs. */
type Settling = { readonly asked: Decision | null; readonly runsAnyway: boolean }

/** Pins first: no mode lets a tool run that nobody has accepted as it is. */
function settle(
  policy: CompiledPolicy,
  question: Question,
  outcome: Decision,
  { asked, runsAnyway }: Settling,
): Decision {
  const pin = question.tool?.pin
  const needs = asked ?? policy.shared.asks
  if (pin === "changed" || pin === "new") {
    return unlessUnattended(policy, question, askDecision({ kind: "pin", pin }, "never", needs))
  }
  const decision = outcome.effect === "ask" ? askedInMode(policy, question, outcome, runsAnyway) : outcome
  if (decision.effect !== "allow") return decision
  const { limits } = policy.policy
  const isWrite = limits.bulk !== undefined && mayWrite(question.tool)
  const limit = exceededLimit(limits, question.state.usage, isWrite, question.now)
  if (limit === null) return decision
  return unlessUnattended(policy, question, askDecision({ kind: "limit", limit }, "never", needs))
}

/** The decision that the session's mode makes of an ask that may be answered for good: one by default, or by a plain ask rule. */
function askedInMode(policy: CompiledPolicy, question: Question, asked: Decision, runsAnyway: boolean): Decision {
  const isDefault = asked.because.kind === "default"
  const mode = modeOf(policy, question)
  switch (mode) {
    case "ask":
      return asked
    case "autonomous":
      return runsAnyway ? policy.shared.autonomous : asked
    case "autonomous-tools":
    case "autonomous-paths":
    case "autonomous-urls":
    case "autonomous-tools-paths":
    case "autonomous-tools-urls":
    case "autonomous-paths-urls":
      return runsAnyway ? autonomousInPart(policy, asked, mode) : asked
    case "observe":
      if (isDefault) return policy.shared.observed
      return policy.policy.observeAll ? insteadOf(asked, "allow", "observe") : asked
    case "unattended":
      return insteadOf(asked, "deny", "unattended")
    default:
      return assertNever(mode)
  }
}

function unlessUnattended(policy: CompiledPolicy, question: Question, asked: Decision): Decision {
  return modeOf(policy, question) === "unattended" ? insteadOf(asked, "deny", "unattended") : asked
}

function insteadOf(asked: Decision, effect: "allow" | "deny", mode: Mode): Decision {
  const because: Because = { kind: "mode", mode, instead: asked.because }
  return Object.freeze({ ...asked, effect, because, wouldAsk: effect === "allow" })
}

function autonomousInPart(policy: CompiledPolicy, asked: Decision, mode: Mode): Decision {
  const because: Because = { kind: "mode", mode, instead: asked.because }
  return Object.freeze({ ...policy.shared.autonomous, because })
}

function modeOf(policy: CompiledPolicy, question: Question): Mode {
  // A change of the policy waits even where nobody answers calls: else nobody could ever end that.
  if (policy.policy.unattended === true && question.target.server !== ownServer) return "unattended"
  const { mode } = question.state
  return mode === "ask" || policy.forbiddenModes.has(policyMode(mode)) ? "ask" : mode
}
