/**
 * One decision about a call that an agent run waits for, by whoever started the run or a reviewer, whichever way it came.
 *
 * I1. A reviewer's yes counts only with presence, and for what was shown: it carries the digest of that.
 * I2. A program's yes counts only where its token conveys decisions and policy lets it; its no always does.
 */
import type { RunDecision } from "@byleave/api"
import type { Approval, VerdictResult } from "@byleave/core"
import { answerRefused } from "../../gate/answer-refused.ts"
import type { RunCaller } from "../../guard/run-caller.ts"
import { needPresence } from "../../guard/who-asks.ts"
import { type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { asShown } from "../approvals/as-shown.ts"

/** Null: the decision counts. */
export async function decideCall(
  service: ApiService,
  who: RunCaller,
  approval: Pick<Approval, "id" | "runDigest">,
  decision: Omit<RunDecision, "requirement_id">,
): Promise<RefusedRequest | null> {
  const reason = decision.rejection_reason
  const said = decision.execute || reason == null || reason === "" ? {} : { reason }
  if (who.kind === "runner") {
    const kind = decision.execute ? "approve" : "deny"
    const { token: by, conveysDecisions } = who
    return refusalOf(await service.gate.conveyAnswer({ approval: approval.id, kind, by, conveysDecisions, ...said }))
  }
  const { reviewer } = who
  if (!decision.execute) {
    const no = { approval: approval.id, kind: "deny", digest: approval.runDigest, reviewer, ...said } as const
    return refusalOf(await service.gate.answer(no))
  }
  if (decision.digest === undefined) {
    return refuse(
      "decision-needs-digest",
      `Approve it in the inbox, or with byleave approve ${approval.id}: a yes needs the digest of what was shown.`,
    )
  }
  const absent = needPresence(who)
  if (absent !== null) return absent
  const yes = await asShown(service, approval.id, { kind: "approve", digest: decision.digest })
  return refusalOf(await service.gate.answer({ approval: approval.id, kind: "approve", digest: yes.digest, reviewer }))
}

function refusalOf(answer: VerdictResult): RefusedRequest | null {
  if (answer.ok) return null
  const { refusal } = answer
  return refusal.code === "forbidden-by-policy"
    ? refuse("decision-needs-reviewer", refusal.reason)
    : answerRefused(refusal)
}
