/** An approved call that nobody waits for, run on a reviewer's word. */
import { answerRefused } from "../../gate/answer-refused.ts"
import { isRefused, notFound } from "../../refused.ts"
import type { Handler } from "../handler.ts"
import { answeredOf } from "./approvals.ts"
import { shownRun } from "./as-shown.ts"
import { runHere } from "./run-here.ts"
import { oneUndo, refusedUndo } from "./undo.ts"

export const runApprovalNow: Handler<"runApprovalNow"> = async (service, { params, body, who }) => {
  const approval = await service.gate.approval(params.id)
  if (approval === undefined) return notFound()
  if (approval.status !== "approved") return answerRefused({ code: "not-approved", status: approval.status })
  const { reviewer } = who
  const run = () =>
    runHere(service, approval, shownRun(service, approval, body.digest), reviewer, () =>
      refusedUndo(service, approval, reviewer.id),
    )
  const ran = approval.undoOf === undefined ? await run() : await oneUndo(service, approval.undoOf, run)
  return isRefused(ran) ? ran : answeredOf(service, { ok: true, approval: ran, grant: null, also: [] })
}
