import type { Approval, Reviewer } from "@byleave/core"
import { answerRefused } from "../../gate/answer-refused.ts"
import { type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { notBehindUs } from "../../show/run-now-offer.ts"

/** Most calls have ended by then; what takes longer is given as running, and its end is told as every end is. */
const patienceMs = 10_000

/** Runs an approved call that nobody waits for; gives it as it is afterwards. `lastLook`: taken when everything else is ready; null: it may run. */
export async function runHere(
  service: ApiService,
  approval: Approval,
  digest: string,
  reviewer: Reviewer,
  lastLook: () => Promise<RefusedRequest | null> = async () => null,
): Promise<Approval | RefusedRequest> {
  const ready = (await service.runs?.prepare(approval)) ?? null
  if (ready === null) return refuse("cannot-run-now", await notBehindUs(service, approval))
  if (!ready.ok) return refuse("cannot-run-now", ready.why)
  const refused = await lastLook()
  if (refused !== null) return refused
  const answer = await service.gate.runNow({ approval: approval.id, digest, reviewer, listed: ready.listed }, ready.run)
  if (!answer.ok) return answerRefused(answer.refusal)
  await endedWithin(answer.ended, patienceMs)
  return (await service.gate.approval(approval.id)) ?? answer.approval
}

async function endedWithin(ended: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([ended, late]).finally(() => clearTimeout(timer))
}
