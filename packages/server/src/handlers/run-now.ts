/** An approved call that nobody waits for, run on a reviewer's word. */
import { answerRefused } from "../answer-refused.ts"
import { notFound, refuse } from "../refused.ts"
import { notBehindUs } from "../show/run-now-offer.ts"
import { answeredOf } from "./approvals.ts"
import { shownRun } from "./as-shown.ts"
import type { Handler } from "./handler.ts"

/** Most calls have ended by then; what takes longer is answered as running, and its end is told as every end is. */
const patienceMs = 10_000

export const runApprovalNow: Handler<"runApprovalNow"> = async (service, { params, body, who }) => {
  const approval = await service.gate.approval(params.id)
  if (approval === undefined) return notFound()
  if (approval.status !== "approved") return answerRefused({ code: "not-approved", status: approval.status })
  const ready = (await service.runs?.prepare(approval)) ?? null
  if (ready === null) return refuse("cannot-run-now", await notBehindUs(service, approval))
  if (!ready.ok) return refuse("cannot-run-now", ready.why)
  const digest = shownRun(service, approval, body.digest)
  const order = { approval: approval.id, digest, reviewer: who.reviewer, listed: ready.listed }
  const answer = await service.gate.runNow(order, ready.run)
  if (!answer.ok) return answerRefused(answer.refusal)
  await endedWithin(answer.ended, patienceMs)
  const now = (await service.gate.approval(approval.id)) ?? answer.approval
  return answeredOf(service, { ok: true, approval: now, grant: null, also: [] })
}

async function endedWithin(ended: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([ended, late]).finally(() => clearTimeout(timer))
}
