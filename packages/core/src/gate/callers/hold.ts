import type { PendingApproval } from "../../approval/approval.ts"
import { type NewApproval, newApproval } from "../../approval/new-approval.ts"
import type { Call } from "../../call/call.ts"
import { isRunPrincipal } from "../../call/run-principal.ts"
import type { Decision } from "../../policy/decide/decision.ts"
import { reasonOf, ruleText } from "../../policy/decide/sentences.ts"
import type { ApprovedBefore } from "../../policy/risks/risk.ts"
import { type Policy, waitsOf } from "../../policy/rules/rule.ts"
import type { GateContext } from "../context.ts"
import type { SubmitOptions } from "../gate.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { recordJudgement } from "../record-judgement.ts"
import { approvedBefore } from "../reviewers/approved-before.ts"
import { checkArguments } from "../reviewers/check-arguments.ts"
import type { HeldExcess } from "../store.ts"
import { callerName, forgetCaller } from "./caller-name.ts"
import { alreadyHeld, heldLimits, tooMuchHeld } from "./held-limits.ts"
import { callDigestOf, demandsOf, targetOf } from "./judge-call.ts"
import { judgeInTurn } from "./judge-in-turn.ts"
import { leftUnjudged, refuseCall, type Step } from "./refuse-call.ts"
import { resumeIdentical } from "./resume.ts"
import { type ChangeSignal, stopping } from "./waiters.ts"

/** Holds the call for a person, durably; its caller may then wait. */
export async function hold(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  decision: Decision,
  options: SubmitOptions,
): Promise<Step> {
  const callDigest = callDigestOf(context, call, call.args)
  const resumed = await resumeIdentical(context, snapshot, call, callDigest, options)
  if (resumed !== null) return resumed
  const caller = callerName(context, options.caller)
  context.callers.add(caller)
  const named = options.key === undefined ? {} : { key: options.key }
  const { isWanted } = options
  const held = await holdAnew(context, snapshot, call, decision, { caller, callDigest, isWanted, ...named }).catch(
    forgetCaller(context, caller),
  )
  if (held === "again" || !("pending" in held)) {
    context.callers.delete(caller)
    return held
  }
  options.onHeld?.(held.pending)
  return { kind: "waiting", approval: held.pending.id, caller, listed: call.listed, signal: held.signal, late: false }
}

type HoldHow = Pick<HeldHow, "caller" | "callDigest" | "key"> & Pick<SubmitOptions, "isWanted">
type HeldAnew = { readonly pending: PendingApproval; readonly signal: ChangeSignal }

async function holdAnew(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  decision: Decision,
  how: HoldHow,
): Promise<HeldAnew | Step> {
  const limits = heldLimits(snapshot.policy.limits)
  const looked = await lookThrough(context, snapshot, call, decision, how)
  if (looked === "left") return leftUnjudged(call)
  if ("excess" in looked) return refuseCall(context, snapshot, call, decision, tooMuchHeld(looked.excess, 0))
  const { pending } = looked
  const at = pending.createdAt
  const signal = context.waiters.signal(pending.id)
  const committed = await recordJudgement(context, {
    at,
    approvals: [{ next: pending, replaces: null }],
    records: [context.recorder.judged(pending.id, call, { decision, snapshot, callDigest: how.callDigest }, at)],
    events: [{ type: "approval.pending", subject: pending.id }],
    epoch: snapshot.epoch,
    within: limits,
    durability: "full",
  }).catch(stopping(signal))
  if (committed.ok) return { pending, signal }
  signal.stop()
  if (committed.conflict !== "limit") return "again"
  return refuseCall(context, snapshot, call, decision, tooMuchHeld(committed.excess, pending.checked?.bytes ?? 0))
}

type Looked = { readonly pending: PendingApproval } | { readonly excess: HeldExcess } | "left"

/** What reviewers are to be warned of takes time to find: it is looked for in the caller's turn, and not in a call that cannot be held. */
async function lookThrough(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  decision: Decision,
  { isWanted, ...how }: HoldHow,
): Promise<Looked> {
  return judgeInTurn<{ readonly before: ApprovedBefore } | { readonly excess: HeldExcess }, Looked>(context, call, {
    prepare: async () => {
      const excess = await alreadyHeld(context.store, call, heldLimits(snapshot.policy.limits))
      return excess === null ? { before: await approvedBefore(context, call, call.args, how.callDigest) } : { excess }
    },
    judge: (ready) => {
      if ("excess" in ready) return ready
      return { pending: heldFrom(context, snapshot, call, decision, { ...how, ...ready, at: context.now() }) }
    },
    leaving: isWanted && { isWanted, left: "left" },
  })
}

export type HeldHow = Pick<
  NewApproval,
  "caller" | "at" | "callDigest" | "rerunOf" | "undoOf" | "edit" | "key" | "starter"
> & { readonly before: ApprovedBefore }

export function heldFrom(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  decision: Decision,
  { before, ...how }: HeldHow,
): PendingApproval {
  const facts = snapshot.facts(call.tool, call.listed)
  const { policy } = snapshot
  return newApproval({
    id: context.options.newId(),
    call,
    access: facts?.access ?? "write",
    fingerprint: facts?.fingerprint ?? "",
    policyVersion: policy.version,
    why: reasonOf(decision, targetOf(call)),
    rule: decision.because.kind === "rule" ? ruleText(decision.because.rule) : null,
    ...demandsOf(snapshot, decision),
    wait: waitOf(policy, call, decision),
    ...(decision.because.kind === "requested" ? { requested: true } : {}),
    checked: checkArguments(context, snapshot, call, how.edit?.args ?? null, before),
    ...how,
  })
}

/** A rule's own time comes first. Calls of agent runs wait for as long as the policy says of those. */
function waitOf(policy: Policy, { principal }: Call, { because, wait }: Decision): number | null {
  if (!isRunPrincipal(principal.id) || (because.kind === "rule" && "wait" in because.rule)) return wait
  return waitsOf(policy)[principal.id]
}
