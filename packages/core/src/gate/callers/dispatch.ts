/**
 * From approved to settled.
 *
 * I1. Policy, expiry and the definition are checked again right before the run; the claim commits only at that epoch.
 * I2. The run gets exactly the arguments whose digest was approved.
 * I3. A yes counts only as long as policy lets it (may-still-run I1, I2). For what only a program wanted to be asked about, limits hold as for any other.
 */
import type { ApprovedApproval, RunningApproval } from "../../approval/approval.ts"
import type { ApprovalEvent, RunOutcome } from "../../approval/approval-event.ts"
import type { Refusal } from "../../approval/refusal.ts"
import type { Call } from "../../call/call.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { GateContext } from "../context.ts"
import type { Outcome, Run } from "../gate.ts"
import { type Changed, changeApproval } from "../reviewers/change-approval.ts"
import { useOf } from "./judge-call.ts"
import { judgeNow } from "./judge-in-turn.ts"
import { isOnlyAskedFor, needsPerson } from "./lapsed-yes.ts"
import { stillApproved } from "./may-still-run.ts"
import { outcomeOf } from "./outcome.ts"
import type { WaitingCount } from "./refuse-call.ts"
import { outcomeOfRun, perform } from "./run-call.ts"

/** Runs an approved call for its caller. `again`: something moved on in between; null: it is not this caller's to run. */
export async function dispatch(
  context: GateContext,
  approval: ApprovedApproval,
  { caller, listed }: Pick<WaitingCount, "caller" | "listed">,
  run: Run,
): Promise<Outcome | "again" | null> {
  const claim = await claimRun(context, approval, listed, (claiming) => ({ type: "claim", caller, ...claiming }))
  return claim !== null && claim !== "again" && claim.kind === "claimed"
    ? runClaimed(context, claim.approval, claim.args, run)
    : claim
}

/** The fields of every claim: the process that runs the call, the end of its lease, and the definition its tool has now. */
type Claiming = Pick<Extract<ApprovalEvent, { type: "claim" }>, "owner" | "leaseUntil" | "fingerprint" | "at">

type Claimed = { readonly kind: "claimed"; readonly approval: RunningApproval; readonly args: JsonObject }

/** Checks an approved call once more and makes it this process's to run. An outcome: it will not run; `again` and null as of `dispatch`. */
export async function claimRun(
  context: GateContext,
  approval: ApprovedApproval,
  listed: Call["listed"],
  eventFor: (claiming: Claiming) => ApprovalEvent,
): Promise<Claimed | Outcome | "again" | null> {
  const snapshot = await context.snapshots.current()
  const still = judgeNow(context, approval, () => stillApproved(context, snapshot, approval, listed))
  if (still.type !== "runs") return settleUnrun(context, approval, still)
  const call = listed === undefined ? approval : { ...approval, listed }
  const use = useOf(snapshot, call, isOnlyAskedFor(approval.by) ? "allowed" : "approved")
  const claim = await changeApproval(
    context,
    approval,
    () => {
      const at = context.now()
      return eventFor({
        owner: context.store.writer,
        leaseUntil: at + context.times.leaseMs,
        fingerprint: snapshot.facts(approval.tool, listed)?.fingerprint ?? "",
        at,
      })
    },
    { epoch: snapshot.epoch, ...(use === undefined ? {} : { use }) },
  )
  if (claim.kind === "refused") return notClaimed(context, claim)
  if (claim.kind === "stale") {
    return claim.isBeyondLimit
      ? settleUnrun(context, approval, {
          type: "forbid",
          refusal: { by: "limit", code: "denied-by-rule", reason: needsPerson },
        })
      : "again"
  }
  if (claim.kind !== "moved") return null
  if (claim.approval.status !== "running") return outcomeOf(claim.approval)
  return { kind: "claimed", approval: claim.approval, args: still.args }
}

async function settleUnrun(
  context: GateContext,
  { id }: ApprovedApproval,
  how: { readonly type: "forbid"; readonly refusal: Refusal } | { readonly type: "cancel"; readonly detail: string },
): Promise<Outcome | "again"> {
  const settled = await changeApproval(context, id, () => ({ ...how, at: context.now() }))
  return settled.kind === "moved" ? (outcomeOf(settled.approval) ?? "again") : "again"
}

/** Runs a call claimed for this process, and settles it. While it runs, its arguments are in the store, and not here. */
export function runClaimed(
  context: GateContext,
  claimed: RunningApproval,
  args: JsonObject,
  run: Run,
): Promise<Outcome> {
  return settledOnceOver(context, claimed.id, begun(context, claimed, args, run))
}

function begun(
  context: GateContext,
  { id, extraParams, cancelAsked }: RunningApproval,
  args: JsonObject,
  run: Run,
): Promise<RunOutcome> {
  const cancelled = new Promise<void>((resolve) => {
    context.running.set(id, { cancel: resolve })
    if (cancelAsked) resolve()
  })
  return perform(run, args, { approval: id, extraParams, cancelled }).finally(() => context.running.delete(id))
}

async function settledOnceOver(context: GateContext, id: string, ran: Promise<RunOutcome>): Promise<Outcome> {
  const outcome = await ran
  try {
    const settled = await changeApproval(context, id, () => ({
      type: "settle",
      owner: context.store.writer,
      outcome,
      at: context.now(),
    }))
    if (settled.kind === "moved") return outcomeOf(settled.approval) ?? outcomeOfRun(outcome, id)
    context.report(new Error(`The outcome of ${id} came after its lease had lapsed.`))
  } catch (trouble) {
    // It ran: its caller gets the outcome, and the record becomes `unknown` when the lease lapses.
    context.report(trouble)
  }
  return outcomeOfRun(outcome, id)
}

async function notClaimed(
  context: GateContext,
  claim: Extract<Changed, { kind: "refused" }>,
): Promise<Outcome | "again" | null> {
  if (claim.refusal.code !== "past-expiry") return outcomeOf(claim.approval)
  await changeApproval(context, claim.approval.id, () => ({ type: "expire", at: context.now() }))
  return "again"
}
