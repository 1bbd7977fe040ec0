/**
 * Verdicts, as people give them.
 *
 * I1. No yes counts from a device whose person is not there; a no always does.
 * I2. A permission saved with a yes never reaches the reviewer's own tokens, one by one or in a batch, however far it reaches.
 * I3. Who decides comes from the key; nothing in a body names them.
 * I4. What may not be run anew by its owner leaves nothing waiting.
 */
import type { Answered, AnsweredAll, ApprovalSummaryView, ApprovalView, VerdictBody } from "@byleave/api"
import {
  type Approval,
  type ApprovalSummary,
  type Reviewer,
  scopeOfAnswer,
  summaryOf,
  type Verdict,
  type VerdictResult,
} from "@byleave/core"
import { answerRefused } from "../../gate/answer-refused.ts"
import { needPresence, type RequestIdentity } from "../../guard/who-asks.ts"
import { isRefused, notFound, problemOf, type RefusedRequest } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { approvalSummaryOf, approvalViewOf } from "../../show/approval-view-of.ts"
import { readBefore } from "../../show/content/read-before.ts"
import { listedWithFirstUseNow, withFirstUseNow } from "../../show/first-use.ts"
import { grantViewOf } from "../../show/grant-view-of.ts"
import { runNowOffer } from "../../show/run-now-offer.ts"
import { toolKnowledge } from "../../show/tool-knowledge.ts"
import { withVotesNow } from "../../show/votes-now.ts"
import type { Handler } from "../handler.ts"
import { approvalCursor, readCursor, writeCursor } from "../history/cursor.ts"
import { asShown, shownRun } from "./as-shown.ts"
import { nearlyRepeated } from "./nearly-repeated.ts"
import { mayWiden } from "./self-approval.ts"

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
  return { items: await summariesOf(service, found), next }
}

export const getApproval: Handler<"getApproval"> = async (service, { params }) => {
  const approval = await service.gate.approval(params.id)
  if (approval === undefined) return notFound()
  const view = {
    ...(await viewOf(service, approval)),
    ...(await runNowOffer(service, approval)),
    ...(await readBefore(service, approval)),
  }
  const missed = await nearlyRepeated(service, approval)
  return missed === null ? view : { ...view, nearMiss: missed }
}

export const giveVerdict: Handler<"giveVerdict"> = async (service, { params, body, who }) => {
  const refused = await mayAnswer(service, who, params.id, body)
  if (refused !== null) return refused
  return answerAs(service, params.id, body, who.reviewer)
}

export const giveVerdicts: Handler<"giveVerdicts"> = async (service, { body, who }) => {
  const answers: AnsweredAll["answers"][number][] = []
  for (const { approval: id, ...verdict } of body.verdicts) {
    const refused = await mayAnswer(service, who, id, verdict)
    const answer = refused ?? (await listedAnswer(service, id, verdict, who.reviewer, body.verdicts.length > 1))
    answers.push(isRefused(answer) ? { ok: false, id, problem: problemOf(answer) } : answer)
  }
  return { answers }
}

/** Bound to what was shown, or to nothing. */
async function answerAs(service: ApiService, id: string, body: VerdictBody, reviewer: Reviewer) {
  const shown = await asShown(service, id, body)
  return answeredOf(service, await service.gate.answer(verdictOf(id, shown, reviewer)))
}

export const extendApproval: Handler<"extendApproval"> = async (service, { params, body, who }) =>
  answeredOf(service, await service.gate.extend(params.id, who.reviewer, body.until))

/** A denial of a call that was approved and did not run: like every denial, it needs no PIN. */
export const revokeApproval: Handler<"revokeApproval"> = async (service, { params, who }) =>
  answeredOf(service, await service.gate.revoke(params.id, who.reviewer))

export const rerunApproval: Handler<"rerunApproval"> = async (service, { params, body, who }) => {
  const old = await service.gate.approval(params.id)
  if (old === undefined) return notFound()
  // Asked before the gate makes the new approval: a refused one must not stay behind, waiting.
  if (old.principal.owner === who.reviewer.id && !service.policy().selfApproval) {
    return answerRefused({ code: "self-approval", reviewer: who.reviewer.id })
  }
  return answeredOf(service, await service.gate.rerun(params.id, shownRun(service, old, body.digest), who.reviewer))
}

/** A no needs nobody to be there; a yes does, and a permission saved with it may not be for the reviewer's own tokens. */
async function mayAnswer(
  service: ApiService,
  who: RequestIdentity,
  id: string,
  { kind, remember }: VerdictBody,
): Promise<RefusedRequest | null> {
  if (kind === "deny") return null
  const absent = needPresence(who)
  if (absent !== null || remember === undefined) return absent
  const approval = await service.gate.approval(id)
  return approval === undefined ? null : mayWiden(service, who, scopeOfAnswer(remember.scope, approval))
}

function verdictOf(approval: string, { remember, ...rest }: VerdictBody, reviewer: Reviewer): Verdict {
  return { approval, reviewer, ...rest, ...(remember === undefined ? {} : { remember }) }
}

export async function answeredOf(service: ApiService, answer: VerdictResult): Promise<Answered | RefusedRequest> {
  if (!answer.ok) return answerRefused(answer.refusal)
  return { approval: await viewOf(service, answer.approval), ...(await rememberedOf(service, answer)) }
}

/** One answer of several: its approval without arguments, or five hundred of them would be one reply. */
async function listedAnswer(
  service: ApiService,
  id: string,
  body: VerdictBody,
  reviewer: Reviewer,
  together: boolean,
): Promise<AnsweredAll["answers"][number] | RefusedRequest> {
  const verdict = verdictOf(id, await asShown(service, id, body), reviewer)
  const answer = await service.gate.answer(together ? { ...verdict, together } : verdict)
  if (!answer.ok) return answerRefused(answer.refusal)
  const [approval] = await summariesOf(service, [summaryOf(answer.approval)])
  if (approval === undefined) return notFound()
  return { ok: true, approval, ...(await rememberedOf(service, answer)) }
}

async function rememberedOf(
  service: ApiService,
  { grant, also }: Extract<VerdictResult, { readonly ok: true }>,
): Promise<Pick<Answered, "grant" | "also">> {
  const settled = also.flatMap((each) => (each.ok ? [summaryOf(each.approval)] : []))
  const byId = new Map((await summariesOf(service, settled)).map((summary) => [summary.id, summary]))
  return {
    grant: grant === null ? null : grantViewOf(grant, service.time()),
    also: also.map((each) =>
      each.ok
        ? { ok: true, approval: byId.get(each.approval.id) as ApprovalSummaryView }
        : { ok: false, id: each.approval, problem: problemOf(answerRefused(each.refusal)) },
    ),
  }
}

async function viewOf(service: ApiService, approval: Approval): Promise<ApprovalView> {
  const [voted = approval] = await withVotesNow(service, [approval])
  const now = await withFirstUseNow(service, voted)
  return approvalViewOf(service, toolKnowledge(service, await service.store.decisionState()), now)
}

async function summariesOf(
  service: ApiService,
  summaries: readonly ApprovalSummary[],
): Promise<readonly ApprovalSummaryView[]> {
  if (summaries.length === 0) return []
  const tools = toolKnowledge(service, await service.store.decisionState())
  const now = await listedWithFirstUseNow(service, await withVotesNow(service, summaries))
  return now.map((summary) => approvalSummaryOf(service, tools, summary))
}
