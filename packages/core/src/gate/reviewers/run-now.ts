/**
 * An approved call run on a reviewer's word, because the client of its agent cannot come back by itself. The claim
 * (transition I3 and I16) ensures that it runs at most once, even if its agent comes back at the same moment: an attached agent runs it itself.
 *
 * I1. It is bound to what the reviewer was shown: with another digest nothing runs.
 */
import type { Approval } from "../../approval/approval.ts"
import { claimRun, runClaimed } from "../callers/dispatch.ts"
import type { GateContext } from "../context.ts"
import type { AnswerRefusal, Outcome, Run, RunNowAnswer, RunNowOrder, VerdictResult } from "../gate.ts"
import { StoreError } from "../store.ts"
import { no } from "./answer.ts"

const maxAttempts = 50

/** Resolves when the call is this process's to run, or is not to be run; `ended` of the answer, when it has settled. */
export async function runNow(context: GateContext, order: RunNowOrder, run: Run): Promise<RunNowAnswer> {
  const { enter, leave } = context.inside
  enter()
  try {
    const answer = await begin(context, order, run)
    if (answer.ok) context.track(answer.ended.finally(leave))
    else leave()
    return answer
  } catch (error) {
    leave()
    throw error
  }
}

async function begin(context: GateContext, order: RunNowOrder, run: Run): Promise<RunNowAnswer> {
  const { approval: id, digest, reviewer, listed } = order
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (context.closing()) return no(id, { code: "store-unavailable", detail: "Byleave is shutting down." })
    const found = await context.store.approval(id)
    if (found === undefined) return no(id, { code: "not-found" })
    if (found.status !== "approved") return no(id, { code: "not-approved", status: found.status })
    if (digest !== found.runDigest) return no(id, { code: "digest-mismatch", expected: found.runDigest })
    if (found.caller !== null) return no(id, { code: "has-caller" })
    const claim = await claimRun(context, found, listed, (claiming) => ({ type: "run-now", reviewer, ...claiming }))
    if (claim === "again" || claim === null) continue
    if (claim.kind !== "claimed") return refusedAtDispatch(context, id, claim)
    const ended = runClaimed(context, claim.approval, claim.args, run).then(() => undefined)
    return { ok: true, approval: claim.approval, ended }
  }
  throw new StoreError("busy", `the approval ${id} kept changing while it was about to run. Try again.`)
}

/** Policy, its time or its tool has changed since it was approved: it is settled by that, and did not run. */
async function refusedAtDispatch(
  context: GateContext,
  id: string,
  outcome: Outcome,
): Promise<Extract<VerdictResult, { readonly ok: false }>> {
  if (outcome.kind === "refusal") return no(id, { code: "forbidden-by-policy", reason: outcome.refusal.reason })
  return no(id, settledAs(await context.store.approval(id)))
}

function settledAs(approval: Approval | undefined): AnswerRefusal {
  return approval === undefined ? { code: "not-found" } : { code: "already-settled", status: approval.status }
}
