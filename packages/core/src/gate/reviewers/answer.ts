import type { Approval } from "../../approval/approval.ts"
import type { ApprovalEvent, Edit } from "../../approval/approval-event.ts"
import type { Grant } from "../../approval/grants/grant.ts"
import { grantCovers, makeGrant } from "../../approval/grants/make-grant.ts"
import { CallError } from "../../call/call-error.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { reasonOf } from "../../policy/decide/sentences.ts"
import { isTime } from "../callers/check-call.ts"
import { refuseIfDeniedTooOften } from "../callers/denied-too-often.ts"
import { callDigestOf, isForbidden, judgeCall, targetOf } from "../callers/judge-call.ts"
import { newPermitMs } from "../callers/permits.ts"
import type { GateContext } from "../context.ts"
import type { AlsoSettled, AnswerRefusal, Verdict, VerdictResult } from "../gate.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { tokenRevoked } from "../revocations.ts"
import { StoreError } from "../store.ts"
import { approvalNotes, approvedBefore } from "./approved-before.ts"
import { type Changed, type ChangeWith, changeApproval } from "./change-approval.ts"
import { checkArguments } from "./check-arguments.ts"

const maxAttempts = 20

/** A reviewer's answer to one held call, with what is to be remembered of it. */
export async function answer(context: GateContext, verdict: Verdict): Promise<VerdictResult> {
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const answered = await answerOnce(context, verdict)
      if (answered !== "again") return answered
    }
    return no(verdict.approval, { code: "store-unavailable", detail: "Permissions kept changing. Try again." })
  } catch (error) {
    if (error instanceof StoreError) return no(verdict.approval, { code: "store-unavailable", detail: error.message })
    throw error
  }
}

async function answerOnce(context: GateContext, verdict: Verdict): Promise<VerdictResult | "again"> {
  const wrong = whatIsWrong(verdict)
  if (wrong !== null) return no(verdict.approval, { code: "invalid-verdict", detail: wrong })
  const approval = await context.store.approval(verdict.approval)
  if (approval === undefined) return no(verdict.approval, { code: "not-found" })
  const snapshot = await context.snapshots.current()
  if (verdict.kind === "approve" && snapshot.isRevoked({ ...approval, since: approval.createdAt })) {
    return answerRevoked(context, verdict.approval)
  }
  const edit = await editOf(context, snapshot, approval, verdict)
  if ("code" in edit) return no(verdict.approval, edit)
  const grant = grantOf(context, snapshot, approval, verdict, edit.edit)
  if (grant !== null && "code" in grant) return no(verdict.approval, grant)
  const changed = await changeApproval(context, approval, () => verdictEvent(context, verdict, edit.edit), {
    ...(grant === null ? {} : saving(context, grant)),
    ...(grant === null && verdict.kind === "deny" ? {} : { epoch: snapshot.epoch }),
    ...(await noting(context, approval, verdict, edit.edit)),
  })
  if (changed.kind === "stale") return "again"
  if (changed.kind === "moved" && changed.approval.status === "denied") {
    await refuseIfDeniedTooOften(context, changed.approval)
  }
  const answered = answerOf(verdict.approval, changed)
  if (!answered.ok || grant === null || changed.kind !== "moved") return answered
  return { ...answered, grant, also: await settleAlso(context, verdict, grant) }
}

/** Nobody is there any more for whom it could run: it is withdrawn, and the reviewer is told how it stands. */
async function answerRevoked(context: GateContext, id: string): Promise<VerdictResult> {
  const event = () => ({ type: "cancel" as const, detail: tokenRevoked, at: context.now() })
  const cancelled = await changeApproval(context, id, event)
  if (cancelled.kind === "missing" || cancelled.kind === "stale") return answerOf(id, cancelled)
  return no(id, { code: "already-settled", status: cancelled.approval.status })
}

/** Verdicts come from forms and other programs: unknown values are refused, not guessed at. */
function whatIsWrong({ kind, remember, reviewer }: Verdict): string | null {
  if (kind !== "approve" && kind !== "deny") return 'A verdict is "approve" or "deny".'
  if (typeof reviewer?.id !== "string" || reviewer.id === "") return "A verdict names its reviewer."
  if (remember === undefined) return null
  if (remember.scope !== "session" && remember.scope !== "agent" && remember.scope !== "always")
    return 'A permission is for "session", "agent" or "always".'
  if (remember.until !== undefined && !isTime(remember.until))
    return "The expiry time must be a whole number of milliseconds."
  return null
}

function verdictEvent(
  context: GateContext,
  verdict: Pick<Verdict, "kind" | "reviewer" | "digest" | "reason" | "face" | "together">,
  edit: Edit | null,
  grant?: string,
): ApprovalEvent {
  return {
    type: "verdict",
    kind: verdict.kind,
    reviewer: verdict.reviewer,
    digest: verdict.digest,
    ...(edit === null ? {} : { edit }),
    ...(grant === undefined ? {} : { grant }),
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    ...(verdict.face === undefined ? {} : { face: verdict.face }),
    ...(verdict.together === undefined ? {} : { together: verdict.together }),
    permitMs: newPermitMs,
    at: context.now(),
  }
}

/** Edited arguments pass the tool's schema and policy again, as if they had been proposed; what policy then demands holds too. */
async function editOf(
  context: GateContext,
  snapshot: PolicySnapshot,
  approval: Approval,
  verdict: Verdict,
): Promise<{ readonly edit: Edit | null } | AnswerRefusal> {
  if (verdict.args === undefined || verdict.kind === "deny") return { edit: null }
  const digest = digestOfEdit(context, approval, verdict.args)
  if (typeof digest !== "string") return digest
  if (digest === approval.runDigest) return { edit: null }
  // A resource is read by its name, which was judged: another name is another request.
  if (approval.kind === "resource") {
    return {
      code: "invalid-arguments",
      problems: ["A resource request cannot be edited. Allow it as it is, or deny it."],
    }
  }
  const problems = snapshot.facts(approval.tool)?.check?.(verdict.args) ?? []
  if (problems.length > 0) return { code: "invalid-arguments", problems }
  const decision = judgeCall(context, snapshot, approval, verdict.args)
  if (isForbidden(decision)) return { code: "forbidden-by-policy", reason: reasonOf(decision, targetOf(approval)) }
  const needs = { approvals: decision.approvals, groups: decision.reviewers }
  const before = await approvedBefore(context, approval, verdict.args, digest)
  const checked = checkArguments(context, snapshot, approval, verdict.args, before)
  return { edit: { args: verdict.args, digest, needs, remember: decision.remember, checked } }
}

/** An approval is noted for the warnings of later calls. */
async function noting(
  context: GateContext,
  approval: Approval,
  { kind }: Pick<Verdict, "kind">,
  edit: Edit | null,
): Promise<ChangeWith> {
  if (kind !== "approve") return {}
  return { documents: await approvalNotes(context, approval, edit?.args ?? approval.editedArgs ?? approval.args ?? {}) }
}

function digestOfEdit(context: GateContext, approval: Approval, args: JsonObject): string | AnswerRefusal {
  try {
    return callDigestOf(context, approval, args)
  } catch (error) {
    if (error instanceof CallError) return { code: "invalid-arguments", problems: [error.message] }
    throw error
  }
}

function grantOf(
  context: GateContext,
  snapshot: PolicySnapshot,
  approval: Approval,
  verdict: Verdict,
  edit: Edit | null,
): Grant | AnswerRefusal | null {
  if (verdict.remember === undefined) return null
  if (edit?.remember === "never" || (edit?.needs.approvals ?? 1) > 1) return { code: "never-remember" }
  return makeGrant({
    id: context.options.newId(),
    approval,
    kind: verdict.kind,
    remember: verdict.remember,
    by: verdict.reviewer.id,
    at: context.now(),
    args: verdict.args,
    facts: snapshot.factsOfServer(approval.tool.server),
    context: snapshot.compiled.contextOf(approval.tool.server),
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
  })
}

export function saving(context: GateContext, grant: Grant): ChangeWith {
  return {
    grants: [{ put: grant }],
    records: [context.recorder.grantCreated(grant)],
    events: [{ type: "grant.changed", subject: grant.id }],
  }
}

/** Of the calls already waiting, a grant settles those the verdict names, as the reviewer saw them, and no other. */
async function settleAlso(context: GateContext, verdict: Verdict, grant: Grant): Promise<readonly AlsoSettled[]> {
  const settled: AlsoSettled[] = []
  for (const listed of verdict.remember?.alsoSettles ?? []) {
    settled.push(await settleOne(context, verdict, grant, listed))
  }
  return settled
}

async function settleOne(
  context: GateContext,
  verdict: Verdict,
  grant: Grant,
  listed: { readonly approval: string; readonly digest: string },
): Promise<AlsoSettled> {
  const waiting = await context.store.approval(listed.approval)
  if (waiting === undefined) return { ok: false, approval: listed.approval, refusal: { code: "not-found" } }
  const snapshot = await context.snapshots.current()
  const conditions = snapshot.compiled.contextOf(waiting.tool.server)
  if (!grantCovers(grant, waiting, snapshot.facts(waiting.tool), conditions)) {
    const detail = "The permission does not cover this call."
    return { ok: false, approval: listed.approval, refusal: { code: "breadth-mismatch", detail } }
  }
  const changed = await changeApproval(
    context,
    waiting,
    () => verdictEvent(context, { ...verdict, digest: listed.digest }, null, grant.id),
    await noting(context, waiting, verdict, null),
  )
  const answered = answerOf(listed.approval, changed)
  return answered.ok ? { ok: true, approval: answered.approval } : answered
}

export function answerOf(id: string, changed: Changed): VerdictResult {
  switch (changed.kind) {
    case "moved":
    case "unchanged":
      return { ok: true, approval: changed.approval, grant: null, also: [] }
    case "refused":
      return no(id, changed.refusal)
    case "missing":
      return no(id, { code: "not-found" })
    case "stale":
      return no(id, { code: "store-unavailable", detail: "Permissions changed in the meantime. Try again." })
  }
}

export function no(approval: string, refusal: AnswerRefusal): VerdictResult & { readonly ok: false } {
  return { ok: false, approval, refusal }
}
