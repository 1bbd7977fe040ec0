import type { PendingApproval } from "../approval/approval.ts"
import { type NewApproval, newApproval } from "../approval/new-approval.ts"
import type { Refusal } from "../approval/refusal.ts"
import { type Call, sessionKey } from "../call/call.ts"
import type { Decision } from "../policy/decision.ts"
import { reasonOf, ruleText } from "../policy/sentences.ts"
import { callerName, forgetCaller } from "./caller-name.ts"
import type { GateContext } from "./context.ts"
import type { SubmitOptions } from "./gate.ts"
import { callDigestOf, targetOf } from "./judge-call.ts"
import { refuseCall, type Step } from "./refuse-call.ts"
import { resumeIdentical } from "./resume.ts"
import type { Standing } from "./standing.ts"
import { type Bell, stopping } from "./waiters.ts"

/** Holds the call for a person, durably; its caller may then wait. */
export async function hold(
  context: GateContext,
  standing: Standing,
  call: Call,
  decision: Decision,
  options: SubmitOptions,
): Promise<Step> {
  const callDigest = callDigestOf(context, call, call.args)
  const resumed = await resumeIdentical(context, standing, call, callDigest, options)
  if (resumed !== null) return resumed
  const caller = callerName(context, options.caller)
  context.callers.add(caller)
  const held = await whileArriving(context, call.session, async (arriving) => {
    const refusal = await tooManyWaiting(context, standing, call, arriving)
    if (refusal !== null) return refuseCall(context, standing, call, decision, refusal)
    return holdAnew(context, standing, call, decision, { caller, callDigest })
  }).catch(forgetCaller(context, caller))
  if (held === "again" || !("pending" in held)) {
    context.callers.delete(caller)
    return held
  }
  options.onHeld?.(held.pending)
  return { kind: "waiting", approval: held.pending.id, caller, bell: held.bell, late: false }
}

type HeldAnew = { readonly pending: PendingApproval; readonly bell: Bell }

async function holdAnew(
  context: GateContext,
  standing: Standing,
  call: Call,
  decision: Decision,
  how: Pick<HeldHow, "caller" | "callDigest">,
): Promise<HeldAnew | "again"> {
  const at = context.now()
  const pending = heldFrom(context, standing, call, decision, { ...how, at })
  const bell = context.waiters.bell(pending.id)
  const committed = await context.store
    .commit({
      at,
      approvals: [{ next: pending, replaces: null }],
      records: [context.recorder.judged(pending.id, call, { decision, standing, callDigest: how.callDigest }, at)],
      events: [{ type: "approval.pending", subject: pending.id }],
      epoch: standing.epoch,
      durability: "full",
    })
    .catch(stopping(bell))
  if (committed.ok) return { pending, bell }
  bell.stop()
  return "again"
}

export type HeldHow = Pick<NewApproval, "caller" | "at" | "callDigest" | "rerunOf" | "edit">

export function heldFrom(
  context: GateContext,
  standing: Standing,
  call: Call,
  decision: Decision,
  how: HeldHow,
): PendingApproval {
  const facts = standing.facts(call.tool)
  const { policy } = standing
  return newApproval({
    id: context.options.newId(),
    call,
    access: facts?.access ?? "write",
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

/** How many calls came before this one and are not in the store yet. */
type Arriving = { readonly inSession: number; readonly ofPrincipal: number }

/** Calls on their way into the store count as waiting, or a burst would pass the limit together. */
async function whileArriving<T>(
  { arriving }: GateContext,
  session: Call["session"],
  work: (before: Arriving) => Promise<T>,
): Promise<T> {
  // No name makes these the same: one is a list of two, the other of one.
  const keys = [sessionKey(session), JSON.stringify([session.principal])] as const
  const [inSession, ofPrincipal] = [arriving.get(keys[0]) ?? 0, arriving.get(keys[1]) ?? 0]
  for (const key of keys) arriving.set(key, (arriving.get(key) ?? 0) + 1)
  try {
    return await work({ inSession, ofPrincipal })
  } finally {
    for (const key of keys) {
      const left = (arriving.get(key) ?? 1) - 1
      if (left === 0) arriving.delete(key)
      else arriving.set(key, left)
    }
  }
}

async function tooManyWaiting(
  context: GateContext,
  standing: Standing,
  call: Call,
  arriving: Arriving,
): Promise<Refusal | null> {
  const { waitingPerSession, waitingPerPrincipal } = standing.policy.limits
  const principal = call.principal.id
  const stored = (where: { readonly session?: string }) =>
    context.store.countApprovals({ principal, ...where, statuses: ["pending"] })
  const inSession = arriving.inSession + (await stored({ session: call.session.id }))
  if (inSession >= waitingPerSession) {
    return tooMany(`${inSession} calls of this session already wait for a person; ${waitingPerSession} may.`)
  }
  if (waitingPerPrincipal === undefined) return null
  const inAll = arriving.ofPrincipal + (await stored({}))
  if (inAll < waitingPerPrincipal) return null
  return tooMany(
    `${inAll} calls of this agent already wait for a person, all its sessions together; ${waitingPerPrincipal} may.`,
  )
}

function tooMany(what: string): Refusal {
  return { by: "limit", code: "too-many-waiting", reason: `${what} Wait until some are answered.` }
}
