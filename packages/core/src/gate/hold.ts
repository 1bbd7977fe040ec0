import type { PendingApproval } from "../approval/approval.ts"
import { type NewApproval, newApproval } from "../approval/new-approval.ts"
import type { Refusal } from "../approval/refusal.ts"
import { type Call, sessionKey, toolName } from "../call/call.ts"
import { showText } from "../call/show-text.ts"
import type { Decision } from "../policy/decision.ts"
import { reasonOf, ruleText } from "../policy/sentences.ts"
import { callerName } from "./caller-name.ts"
import type { GateContext } from "./context.ts"
import type { SubmitOptions } from "./gate.ts"
import { callDigestOf, targetOf } from "./judge-call.ts"
import { refuseCall, type Step } from "./refuse-call.ts"
import { resumeIdentical } from "./resume.ts"
import type { Standing } from "./standing.ts"

/** Holds the call for a person, durably; its caller may then wait. */
export async function hold(
  context: GateContext,
  standing: Standing,
  call: Call,
  decision: Decision,
  options: SubmitOptions,
): Promise<Step> {
  const resumed = await resumeIdentical(context, standing, call, options)
  if (resumed !== null) return resumed
  const caller = callerName(context, options.caller)
  const held = await whileArriving(context, sessionKey(call.session), async (arriving) => {
    const refusal = await overLimit(context, standing, call, arriving)
    if (refusal !== null) return refuseCall(context, standing, call, decision, refusal)
    return holdAnew(context, standing, call, decision, caller)
  })
  if (held === "again" || !("status" in held)) return held
  options.onHeld?.(held)
  return { kind: "waiting", approval: held.id, caller }
}

async function holdAnew(
  context: GateContext,
  standing: Standing,
  call: Call,
  decision: Decision,
  caller: string,
): Promise<PendingApproval | "again"> {
  const at = context.now()
  const approval = heldFrom(context, standing, call, decision, { caller, at })
  const committed = await context.store.commit({
    at,
    approvals: [{ next: approval, replaces: null }],
    records: [context.recorder.judged(approval.id, call, { decision, standing, policy: approval.policyVersion }, at)],
    events: [{ type: "approval.pending", subject: approval.id }],
    epoch: standing.epoch,
    durability: "full",
  })
  return committed.ok ? approval : "again"
}

export type HeldHow = Pick<NewApproval, "caller" | "at" | "rerunOf" | "edit">

export function heldFrom(
  context: GateContext,
  standing: Standing,
  call: Call,
  decision: Decision,
  how: HeldHow,
): PendingApproval {
  const facts = standing.facts(call.tool)
  const { policy } = context.rules()
  return newApproval({
    id: context.options.newId(),
    call,
    access: facts?.access ?? "write",
    callDigest: callDigestOf(context, call, call.args),
    fingerprint: facts?.fingerprint ?? "",
    policyVersion: policy.version,
    why: reasonOf(decision, targetOf(call)),
    rule: decision.because.kind === "rule" ? ruleText(decision.because.rule) : null,
    remember: decision.remember,
    needs: { approvals: decision.approvals, groups: decision.reviewers, selfApproval: policy.selfApproval },
    wait: decision.wait,
    ...how,
  })
}

/** Calls on their way into the store count as waiting, or a burst would pass the limit together. */
async function whileArriving<T>(context: GateContext, key: string, work: (before: number) => Promise<T>): Promise<T> {
  const before = context.arriving.get(key) ?? 0
  context.arriving.set(key, before + 1)
  try {
    return await work(before)
  } finally {
    const left = (context.arriving.get(key) ?? 1) - 1
    if (left === 0) context.arriving.delete(key)
    else context.arriving.set(key, left)
  }
}

async function overLimit(
  context: GateContext,
  standing: Standing,
  call: Call,
  arriving: number,
): Promise<Refusal | null> {
  const { waitingPerSession, denials } = context.rules().policy.limits
  const here = { principal: call.principal.id, session: call.session.id }
  const waiting = arriving + (await context.store.countApprovals({ ...here, statuses: ["pending"] }))
  if (waiting >= waitingPerSession) {
    const reason = `${waiting} calls of this session already wait for a person; ${waitingPerSession} may. Wait until some are answered.`
    return { by: "limit", code: "too-many-waiting", reason }
  }
  const lifted = standing.session(sessionKey(call.session))?.lifted.find((entry) => entry.tool === toolName(call.tool))
  const since = Math.max(context.now() - denials.withinMs, lifted === undefined ? 0 : lifted.at + 1)
  const denied = await context.store.countApprovals({
    ...here,
    ...call.tool,
    statuses: ["denied"],
    settledSince: since,
  })
  if (denied < denials.count) return null
  const name = showText(toolName(call.tool))
  const reason = `${name} was denied ${denied} times in this session, so it is refused until a person lifts that. Do not try it another way.`
  return { by: "limit", code: "denied-too-often", reason }
}
