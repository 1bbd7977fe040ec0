/**
 * Verdicts, as people give them.
 *
 * I1. No yes counts from a device whose person is not there; a no always does.
 * I2. A yes for good never reaches the reviewer's own tokens, one by one or in a batch.
 * I3. Who decides comes from the key; nothing in a body names them.
 * I4. What may not be run anew by its owner leaves nothing waiting.
 */
import type { Answered, ApprovalView, VerdictBody } from "@byleave/api"
import type { Answer, Approval, Reviewer, Verdict } from "@byleave/core"
import { answerRefused } from "../answer-refused.ts"
import { needPresence, type Who } from "../guard/who-asks.ts"
import { isRefused, notFound, problemOf, type Refused } from "../refused.ts"
import type { Service } from "../service.ts"
import { approvalViewOf } from "../show/approval-view-of.ts"
import { grantViewOf } from "../show/grant-view-of.ts"
import { toolKnowledge } from "../show/tool-knowledge.ts"
import { approvalCursor, readCursor, writeCursor } from "./cursor.ts"
import type { Handler } from "./handler.ts"
import { nearlyRepeated } from "./nearly-repeated.ts"
import { refuseSelfApproval } from "./self-approval.ts"

export const listApprovals: Handler<"listApprovals"> = async (service, { query }) => {
  const { status, since, after, limit, ...where } = query
  const place = after === undefined ? undefined : readCursor(approvalCursor, after)
  if (isRefused(place)) return place
  const found = await service.store.approvals({
    ...where,
    ...(status === undefined ? {} : { statuses: status }),
    ...(since === undefined ? {} : { createdSince: since }),
    ...(place === undefined ? {} : { after: { createdAt: place[0], id: place[1] } }),
    limit,
  })
  const last = found.at(-1)
  const next = found.length < limit || last === undefined ? null : writeCursor([last.createdAt, last.id])
  return { items: await viewsOf(service, found), next }
}

export const getApproval: Handler<"getApproval"> = async (service, { params }) => {
  const approval = await service.gate.approval(params.id)
  if (approval === undefined) return notFound()
  const [view] = await viewsOf(service, [approval])
  if (view === undefined) return notFound()
  const missed = await nearlyRepeated(service, approval)
  return missed === null ? view : { ...view, nearMiss: missed }
}

export const giveVerdict: Handler<"giveVerdict"> = async (service, { params, body, who }) => {
  const refused = await mayAnswer(service, who, body)
  if (refused !== null) return refused
  return answeredOf(service, await service.gate.answer(verdictOf(params.id, body, who.reviewer)))
}

export const giveVerdicts: Handler<"giveVerdicts"> = async (service, { body, who }) => {
  const answers = []
  for (const { approval: id, ...verdict } of body.verdicts) {
    const refused = await mayAnswer(service, who, verdict)
    const answer =
      refused ?? (await answeredOf(service, await service.gate.answer(verdictOf(id, verdict, who.reviewer))))
    answers.push(
      isRefused(answer) ? ({ ok: false, id, problem: problemOf(answer) } as const) : ({ ok: true, ...answer } as const),
    )
  }
  return { answers }
}

export const extendApproval: Handler<"extendApproval"> = async (service, { params, body, who }) =>
  answeredOf(service, await service.gate.extend(params.id, who.reviewer, body.until))

export const rerunApproval: Handler<"rerunApproval"> = async (service, { params, body, who }) => {
  const old = await service.gate.approval(params.id)
  if (old === undefined) return notFound()
  // Asked before the gate makes the new approval: a refused one must not stay behind, waiting.
  if (old.principal.owner === who.reviewer.id && !service.policy().selfApproval) {
    return answerRefused({ code: "self-approval", reviewer: who.reviewer.id })
  }
  return answeredOf(service, await service.gate.rerun(params.id, body.digest, who.reviewer))
}

/** A no needs nobody to be there; a yes does, and one for everyone is also one for the reviewer's own tokens. */
async function mayAnswer(service: Service, who: Who, verdict: VerdictBody): Promise<Refused | null> {
  if (verdict.kind === "deny") return null
  const absent = needPresence(who)
  if (absent !== null || verdict.remember?.scope !== "always") return absent
  return refuseSelfApproval(service, who.reviewer.id, null)
}

function verdictOf(approval: string, { remember, ...rest }: VerdictBody, reviewer: Reviewer): Verdict {
  return { approval, reviewer, ...rest, ...(remember === undefined ? {} : { remember }) }
}

async function answeredOf(service: Service, answer: Answer): Promise<Answered | Refused> {
  if (!answer.ok) return answerRefused(answer.refusal)
  const settled = answer.also.flatMap((also) => (also.ok ? [also.approval] : []))
  const views = await viewsOf(service, [answer.approval, ...settled])
  const viewOf = new Map(views.map((view) => [view.id, view]))
  const shown = (approval: Approval): ApprovalView => viewOf.get(approval.id) as ApprovalView
  return {
    approval: shown(answer.approval),
    grant: answer.grant === null ? null : grantViewOf(answer.grant, service.time()),
    also: answer.also.map((also) =>
      also.ok
        ? { ok: true, approval: shown(also.approval) }
        : { ok: false, id: also.approval, problem: problemOf(answerRefused(also.refusal)) },
    ),
  }
}

async function viewsOf(service: Service, approvals: readonly Approval[]): Promise<readonly ApprovalView[]> {
  const tools = toolKnowledge(service, await service.store.decisionState())
  return approvals.map((approval) => approvalViewOf(service, tools, approval))
}
