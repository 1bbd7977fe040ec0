/**
 * Policy's word on a call that may run, once more: agents can make a call wait long between the answer to it, its claim and its sending.
 *
 * I1. A yes counts only as long as policy lets it: given by as many reviewers, and by those, that policy demands now, of those who are reviewers now; where no reviewer gave it, only where none is demanded.
 * I2. What was held for a credential that was revoked since does not run.
 * I3. The same is asked of an approval when it is claimed and when it is sent.
 */
import type { ApprovedApproval, RunningApproval } from "../../approval/approval.ts"
import type { Refusal } from "../../approval/refusal.ts"
import type { Call } from "../../call/call.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { GateContext } from "../context.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { tokenRevoked } from "../revocations.ts"
import { StoreError } from "../store.ts"
import { callDigestOf, demandsOnVotes, isForbidden, judgeCall } from "./judge-call.ts"
import { lapsedYes } from "./lapsed-yes.ts"
import { refusalOf } from "./refuse-call.ts"

/** `args`: as they were approved. */
type StillApproved =
  | { readonly type: "runs"; readonly args: JsonObject }
  | { readonly type: "forbid"; readonly refusal: Refusal }
  | { readonly type: "cancel"; readonly detail: string }

/** Whether an approved call runs as policy is by now, and if not, how it ends. */
export function stillApproved(
  context: GateContext,
  snapshot: PolicySnapshot,
  approval: ApprovedApproval | RunningApproval,
  listed: Call["listed"],
): StillApproved {
  if (snapshot.isRevoked({ ...approval, since: approval.createdAt })) return { type: "cancel", detail: tokenRevoked }
  const args = argsToRun(context, approval)
  const call = listed === undefined ? approval : { ...approval, listed }
  const decision = judgeCall(context, snapshot, call, args)
  if (isForbidden(decision)) return { type: "forbid", refusal: refusalOf(approval, decision) }
  const by = approval.status === "running" ? approval.approvedBy : approval.by
  const lapsed = lapsedYes({ ...approval, by }, decision, demandsOnVotes(snapshot, decision))
  if (lapsed === null) return { type: "runs", args }
  return { type: "forbid", refusal: { by: "policy", code: "denied-by-rule", reason: lapsed } }
}

/** Whether a call that this gate let run may still be sent. `approval`: the one by which it runs; null: policy allowed it. */
export async function mayStillRun(
  context: GateContext,
  call: Pick<Call, "kind" | "tool" | "principal" | "session" | "listed" | "connection">,
  args: JsonObject,
  approval: string | null,
): Promise<boolean> {
  const snapshot = await context.snapshots.current()
  if (approval === null) {
    const isRevoked = snapshot.isRevoked({ principal: call.principal, since: context.now() })
    return !isRevoked && judgeCall(context, snapshot, call, args).effect === "allow"
  }
  const running = await context.store.approval(approval)
  if (running?.status !== "running" || running.principal.id !== call.principal.id) return false
  return stillApproved(context, snapshot, running, call.listed).type === "runs"
}

/** The arguments as approved. A store that gives back others is not to be trusted with a run. */
function argsToRun(context: GateContext, approval: ApprovedApproval | RunningApproval): JsonObject {
  const args = approval.editedArgs ?? approval.args
  if (args === null || callDigestOf(context, approval, args) !== approval.runDigest) {
    throw new StoreError("corrupt", `the stored arguments of ${approval.id} are not the ones that were approved.`)
  }
  return args
}
