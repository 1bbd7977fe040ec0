/** An approved call that nobody waits for, run on a reviewer's word. */
import { answerRefused } from "../../gate/answer-refused.ts"
import { isRefused, notFound } from "../../refused.ts"
import type { Handler } from "../handler.ts"
import { answeredOf } from "./approvals.ts"
import { shownRun } from "./as-shown.ts"
import { runHere } from "./run-here.ts"
import { refusedUndo } from "./undo.ts"

export const runApprovalNow: Handler<"runApprovalNow"> = async (service, { params, body, who }) => {
  const approval = await service.gate.approval(params.id)
  if (approval === undefined) return notFound()
  if (approval.status !== "approved") return answerRefused({ code: "not-approved", status: approval.status })
  const refused = await refusedUndo(service, approval, who.reviewer.id)
  if (refused !== null) return refused
  const ran = await runHere(service, approval, shownRun(service, approval, body.digest), who.reviewer)
  return isRefused(ran) ? ran : answeredOf(service, { ok: true, approval: ran, grant: null, also: [] })
}
