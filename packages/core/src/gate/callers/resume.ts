import type { Approval } from "../../approval/approval.ts"
import type { ApprovalSummary } from "../../approval/approval-summary.ts"
import { longestPermitMs } from "../../approval/permit-expiry.ts"
import { type Call, type EpochMs, sessionKey } from "../../call/call.ts"
import type { Decision } from "../../policy/decide/decision.ts"
import type { GateContext } from "../context.ts"
import type { Outcome, Run, SubmitOptions } from "../gate.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { changeApproval } from "../reviewers/change-approval.ts"
import { callerName, forgetCaller, writerOf } from "./caller-name.ts"
import { mustBeACall } from "./check-call.ts"
import { callDigestOf, judgeCall } from "./judge-call.ts"
import { judgeInTurn } from "./judge-in-turn.ts"
import { outcomeOf } from "./outcome.ts"
import { newPermitMs } from "./permits.ts"
import { leftUnjudged, refusalOf, type WaitingCount } from "./refuse-call.ts"
import { waitOn } from "./wait.ts"
import { stopping } from "./waiters.ts"

/** Comes back to an identical call that nobody is attached to: still waiting, already approved, or settled unheard. */
export async function resumeIdentical(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  callDigest: string,
  options: SubmitOptions,
): Promise<Outcome | WaitingCount | null> {
  return resume(context, snapshot, call, callDigest, options, () => true)
}

/** As `resumeIdentical`, but only what a person has already answered: used where nobody can be asked. */
export async function takePermit(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  options: SubmitOptions,
): Promise<Outcome | WaitingCount | null> {
  const callDigest = callDigestOf(context, call, call.args)
  return resume(context, snapshot, call, callDigest, options, (approval) => approval.status !== "pending")
}

async function resume(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  callDigest: string,
  options: SubmitOptions,
  wanted: (approval: ApprovalSummary) => boolean,
): Promise<Outcome | WaitingCount | null> {
  const fingerprint = snapshot.facts(call.tool, call.listed)?.fingerprint ?? ""
  const { isWanted } = options
  // In the caller's turn: it may repeat its call as often as it likes.
  const identical = await judgeInTurn<readonly ApprovalSummary[], readonly ApprovalSummary[] | null>(context, call, {
    prepare: () => identicalTo(context, call, callDigest),
    judge: (found) => found,
    leaving: isWanted && { isWanted, left: null },
  })
  if (identical === null) return leftUnjudged(call)
  for (const found of identical) {
    if (!wanted(found) || found.fingerprint !== fingerprint || !isSameCall(found, call, callDigest, options.key))
      continue
    const back = await comeBackTo(context, found, call, options)
    if (back !== null) return back
  }
  return null
}

/** Waits on one approval by its id, for a caller that made the same call before. For all others it does not exist. */
export function attach(
  context: GateContext,
  id: string,
  call: Call,
  run: Run,
  options: SubmitOptions,
): Promise<Outcome | null> {
  context.inside.enter()
  return attachTo(context, id, call, run, options).finally(context.inside.leave)
}

async function attachTo(
  context: GateContext,
  id: string,
  call: Call,
  run: Run,
  options: SubmitOptions,
): Promise<Outcome | null> {
  mustBeACall(call)
  context.options.onCall?.(call)
  const found = await context.store.approval(id)
  if (found === undefined || !isSameCall(found, call, callDigestOf(context, call, call.args), options.key)) return null
  const refused = "startedAt" in found ? await refusedByNow(context, found.id, call) : null
  if (refused !== null) return refused
  const back = await comeBackTo(context, found, call, options)
  return back?.kind === "waiting" ? waitOn(context, back, run, options) : back
}

/**
 * The refusal of a call that was sent, for one who comes back to it by its id; null: policy does not refuse it by now. Its outcome stays kept. A default or a mode
 * is about what has not begun.
 */
async function refusedByNow(context: GateContext, approval: string, call: Call): Promise<Outcome | null> {
  const decision = await judgeInTurn<PolicySnapshot, Decision>(context, call, {
    prepare: context.snapshots.current,
    judge: (snapshot) => judgeCall(context, snapshot, call, call.args),
  })
  const { effect, because } = decision
  const isRefused = effect === "hide" || effect === "deny"
  if (!isRefused || because.kind === "default" || because.kind === "mode") return null
  return { kind: "refusal", refusal: refusalOf(call, decision), approval }
}

function isSameCall(
  found: ApprovalSummary | Approval,
  call: Call,
  callDigest: string,
  key: string | undefined,
): boolean {
  return (
    found.key === key &&
    found.principal.id === call.principal.id &&
    sessionKey(found.session) === sessionKey(call.session) &&
    found.kind === (call.kind ?? "tool") &&
    found.tool.server === call.tool.server &&
    found.tool.tool === call.tool.tool &&
    found.callDigest === callDigest &&
    // Where the agent began to name folders, the same words are about other files.
    (found.connection?.hasRoots === true) === (call.connection?.hasRoots === true)
  )
}

async function identicalTo(context: GateContext, call: Call, callDigest: string): Promise<readonly ApprovalSummary[]> {
  const key = {
    principal: call.principal.id,
    session: call.session.id,
    server: call.tool.server,
    tool: call.tool.tool,
    callDigest,
  }
  const now = context.now()
  const { outcomeMs } = context.times
  const found = await context.store.identical(key, now - Math.max(outcomeMs, longestPermitMs))
  return found.filter((approval) => isKept(approval, now, outcomeMs))
}

/** An outcome of a call that a reviewer ran is kept as long as its permit would have lived: its agent may come back late. */
function isKept(approval: ApprovalSummary, now: EpochMs, outcomeMs: number): boolean {
  if (!("settledAt" in approval) || approval.settledAt >= now - outcomeMs) return true
  return "runNow" in approval && approval.runNow !== undefined && now < approval.runNow.keptUntil
}

/** An approval that has a caller is not read as a whole: it may be large, and many may wait with the same arguments. */
async function comeBackTo(
  context: GateContext,
  found: ApprovalSummary | Approval,
  { listed }: Call,
  options: SubmitOptions,
): Promise<Outcome | WaitingCount | null> {
  const caller = callerName(context, options.caller)
  if (found.caller !== null && !(await releaseIfGone(context, found, found.caller))) return null
  if (options.leavesAnswered === true && isLeft(found)) {
    return { kind: "ticket", approval: found.id, expiresAt: null }
  }
  const signal = context.waiters.signal(found.id)
  context.callers.add(caller)
  const attached = await changeApproval(context, "args" in found ? found : found.id, () => ({
    type: "attach",
    caller,
    at: context.now(),
  }))
    .catch(forgetCaller(context, caller))
    .catch(stopping(signal))
  if (attached.kind !== "moved") {
    context.callers.delete(caller)
    signal.stop()
    return null
  }
  const { status } = attached.approval
  if (status === "pending" || status === "approved") options.onHeld?.(attached.approval)
  if (status !== "pending") signal.notify()
  const late = outcomeOf(attached.approval) !== null
  return { kind: "waiting", approval: found.id, caller, listed, signal, late }
}

/** Whether somebody has said yes to it, and whoever repeats the call may still run it or be given its outcome. */
function isLeft({ status }: ApprovalSummary | Approval): boolean {
  return status === "approved" || status === "running" || status === "succeeded" || status === "failed"
}

/** A caller whose process died is no caller: nothing waits behind it. */
async function releaseIfGone(context: GateContext, { id }: Pick<Approval, "id">, caller: string): Promise<boolean> {
  if (await callerIsThere(context, caller)) return false
  const permitMs = newPermitMs
  const released = await changeApproval(context, id, (approval) =>
    outcomeOf(approval) === null
      ? { type: "detach", caller, permitMs, at: context.now() }
      : { type: "miss", caller, at: context.now() },
  )
  // Unchanged: somebody else has seen that it is gone.
  return released.kind === "moved" || released.kind === "unchanged"
}

async function callerIsThere(context: GateContext, caller: string): Promise<boolean> {
  const writer = writerOf(caller)
  if (writer === context.store.writer) return context.callers.has(caller)
  return (await context.store.alive(context.now())).includes(writer)
}
