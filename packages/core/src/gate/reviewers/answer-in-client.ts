import { answeredInClient, mayBeDecidedInClient } from "../../approval/decided-in-client.ts"
import type { GateContext } from "../context.ts"
import type { ClientAnswer, VerdictResult } from "../gate.ts"
import { answer } from "./answer.ts"

const notThere = "It is asked every time, of several people or of a group, so an answer in the client does not count."

/** Decides by the approval as it is now: what is asked may have become stricter since the form was shown. */
export async function answerInClient(context: GateContext, given: ClientAnswer): Promise<VerdictResult> {
  const approval = await context.store.approval(given.approval)
  if (approval === undefined) return { ok: false, approval: given.approval, refusal: { code: "not-found" } }
  if (!mayBeDecidedInClient(approval)) {
    return { ok: false, approval: approval.id, refusal: { code: "forbidden-by-policy", reason: notThere } }
  }
  const { approval: id, kind, digest } = given
  return answer(context, { approval: id, kind, digest, ...answeredInClient(approval) })
}
