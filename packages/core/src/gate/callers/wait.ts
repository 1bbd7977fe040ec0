import type { Approval } from "../../approval/approval.ts"
import { sessionKey } from "../../call/call.ts"
import type { GateContext } from "../context.ts"
import type { Outcome, Run, SubmitOptions } from "../gate.ts"
import { changeApproval } from "../reviewers/change-approval.ts"
import { StoreError } from "../store.ts"
import { dispatch } from "./dispatch.ts"
import { handOver } from "./hand-over.ts"
import { outcomeOf } from "./outcome.ts"
import { newPermitMs } from "./permits.ts"
import { unrecorded, type WaitingCount } from "./refuse-call.ts"

/**
 * Keeps the caller attached until the approval has an outcome, or until the caller has waited long enough. Holds on to
 * ids only: a hundred thousand callers may be waiting, and what they wait for is in the store.
 */
export async function waitOn(
  context: GateContext,
  waiting: WaitingCount,
  run: Run,
  options: SubmitOptions,
): Promise<Outcome> {
  let outcome: Outcome | null = null
  try {
    outcome = await settledOrLeft(context, waiting, run, options)
    return outcome
  } catch (error) {
    return unrecorded(error)
  } finally {
    waiting.signal.stop()
    handOver(context, waiting, outcome, options)
  }
}

async function settledOrLeft(
  context: GateContext,
  waiting: WaitingCount,
  run: Run,
  options: SubmitOptions,
): Promise<Outcome> {
  const { signal } = waiting
  const isWanted = options.leavesAnswered === true ? never : options.isWanted
  const until = options.until?.()
  while (!context.closing()) {
    if (until === undefined) await signal.changed()
    else if (await isFirst(until, signal.changed())) break
    let step = await look(context, waiting, run, { until, isWanted })
    while (step === "again") step = await look(context, waiting, run, { until, isWanted })
    if (step === "left") break
    if (step !== null) return step
  }
  return leave(context, waiting)
}

const never = (): boolean => false

type WaitingFor = Pick<SubmitOptions, "isWanted"> & { readonly until: Promise<unknown> | undefined }

/** Null: nothing to do until the signal says so. `left`: the caller has waited long enough for a run to end, or was gone before it began. */
async function look(
  context: GateContext,
  waiting: WaitingCount,
  run: Run,
  { until, isWanted }: WaitingFor,
): Promise<Outcome | "again" | "left" | null> {
  const { dispatched } = await dispatchIfApproved(context, waiting, run, isWanted)
  if (until === undefined || !(await isFirst(until, dispatched))) return dispatched
  context.track(dispatched)
  return "left"
}

/** Apart from `look`, which would keep the approval and its arguments while the call runs. */
async function dispatchIfApproved(
  context: GateContext,
  { approval: id, caller, listed, late }: WaitingCount,
  run: Run,
  isWanted: SubmitOptions["isWanted"],
): Promise<{ readonly dispatched: ReturnType<typeof look> }> {
  const approval = await context.store.approval(id)
  if (approval === undefined) throw new StoreError("gone", `the held call ${id} is no longer in the store.`)
  if (approval.status !== "approved") return { dispatched: Promise.resolve(outcomeOf(approval, late)) }
  // Not claimed, so that the approval can still be cancelled, or stays a permit.
  if (isWanted?.() === false) return { dispatched: Promise.resolve("left") }
  return { dispatched: dispatch(context, approval, { caller, listed }, run) }
}

/** Whether `one` is over, in whatever way, before `other` is. */
function isFirst(one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  const yes = (): boolean => true
  const no = (): boolean => false
  return Promise.race([other.then(no, no), one.then(yes, yes)])
}

/** The caller leaves, and the call keeps waiting. If it settled in the meantime, its outcome is returned after all. */
async function leave(context: GateContext, { approval: id, caller, late }: WaitingCount): Promise<Outcome> {
  const permitMs = newPermitMs
  const left = await changeApproval(context, id, () => ({ type: "detach", caller, permitMs, at: context.now() }))
  if (left.kind === "missing" || left.kind === "stale") throw new StoreError("gone", `the held call ${id} is gone.`)
  const { approval } =
    left.kind === "refused" && left.refusal.code === "past-expiry" ? await expire(context, left) : left
  if (approval.status === "approved") context.permits.add(sessionKey(approval.session), id)
  const expiresAt = approval.status === "pending" ? approval.expiresAt : null
  return outcomeOf(approval, late) ?? { kind: "ticket", approval: id, expiresAt }
}

async function expire(
  context: GateContext,
  late: { readonly approval: Approval },
): Promise<{ readonly approval: Approval }> {
  const expired = await changeApproval(context, late.approval.id, () => ({ type: "expire", at: context.now() }))
  return "approval" in expired ? expired : late
}
