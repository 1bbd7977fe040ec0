/**
 * Answers of a program to the calls of a run that it started.
 *
 * I1. A no counts, whoever gives it.
 * I2. A yes counts from a token that conveys decisions, and from any where policy allows the call, nothing blocks it, and only the program wanted to be asked.
 * I3. No yes of a program counts for what is asked every time, of several people or of a group, or of a tool that is not as it was accepted.
 */
import type { Approval } from "../../approval/approval.ts"
import { mayBeDecidedInClient } from "../../approval/decided-in-client.ts"
import { demandsOf, judgeCall } from "../callers/judge-call.ts"
import { askedForBy, conveyedBy } from "../callers/lapsed-yes.ts"
import { unaskedRefusal } from "../callers/may-still-run.ts"
import type { GateContext } from "../context.ts"
import type { ConveyedAnswer, VerdictResult } from "../gate.ts"
import { answer, no } from "./answer.ts"

const needsReviewer =
  "A reviewer must decide about this call: the token does not convey decisions, or the call is blocked, or asked every time, of several people or of a group."

export async function conveyAnswer(context: GateContext, given: ConveyedAnswer): Promise<VerdictResult> {
  const approval = await context.store.approval(given.approval)
  if (approval === undefined) return no(given.approval, { code: "not-found" })
  const { kind, reason } = given
  const verdict = {
    approval: approval.id,
    kind,
    digest: approval.runDigest,
    ...(reason === undefined ? {} : { reason }),
  }
  if (kind === "deny") return answer(context, { ...verdict, reviewer: { id: `${conveyedBy}${given.by}`, groups: [] } })
  const counts = await countsFor(context, approval, given)
  if (counts === null) return no(approval.id, { code: "forbidden-by-policy", reason: needsReviewer })
  return answer(context, { ...verdict, reviewer: { id: `${counts}${given.by}`, groups: [] } })
}

/** As things stand now: what is asked may have become stricter since the call was held. */
async function countsFor(
  context: GateContext,
  approval: Approval,
  { conveysDecisions }: ConveyedAnswer,
): Promise<typeof conveyedBy | typeof askedForBy | null> {
  if (!mayBeDecidedInClient(approval)) return null
  const snapshot = await context.snapshots.current()
  const decision = judgeCall(context, snapshot, approval, approval.args ?? {})
  const isUnasked = decision.effect === "allow" && unaskedRefusal(snapshot, approval) === null
  if (approval.requested === true && isUnasked) return askedForBy
  return conveysDecisions && mayBeDecidedInClient(demandsOf(snapshot, decision)) ? conveyedBy : null
}
