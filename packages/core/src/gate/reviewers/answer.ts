import type { Approval } from "../../approval/approval.ts"
import type { ApprovalEvent, Demands, Edit } from "../../approval/approval-event.ts"
import type { Grant } from "../../approval/grants/grant.ts"
import { grantCovers, makeGrant } from "../../approval/grants/make-grant.ts"
import { CallError } from "../../call/call-error.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { reasonOf } from "../../policy/decide/sentences.ts"
import { isTime } from "../callers/check-call.ts"
import { callDigestOf, demandsOnVotes, isForbidden, judgeCall, targetOf } from "../callers/judge-call.ts"
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
const keptChanging: AnswerRefusal = { code: "store-unavailable", detail: "Permissions kept changing. Try again." }

/** A reviewer's answer to one held call, with what is to be remembered of it. */
export async function answer(context: GateContext, verdict: Verdict): Promise<VerdictResult> {
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const answered = await answerOnce(context, verdict)
      if (answered !== "again") return answered
    }
    return no(verdict.approval, keptChanging)
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
  const read = await editOf(context, snapshot, approval, verdict)
  if ("code" in read) return no(verdict.approval, read)
  const { edit } = read
  const demands = demandsNow(context, snapshot, approval, verdict, edit)
  const grant = grantOf(context, snapshot, approval, verdict, demands)
  if (grant !== null && "code" in grant) return no(verdict.approval, grant)
  const changed = await changeApproval(context, approval, () => verdictEvent(context, verdict, { edit, demands }), {
    ...(grant === null ? {} : saving(context, grant)),
    ...(grant === null && demands === null ? {} : { epoch: snapshot.epoch }),
    ...(await noting(context, approval, verdict, edit)),
  })
  if (changed.kind === "stale") return "again"
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
  { edit, demands, grant }: { readonly edit: Edit | null; readonly demands: Demands | null; readonly grant?: string },
): ApprovalEvent {
  return {
    type: "verdict",
    kind: verdict.kind,
    reviewer: verdict.reviewer,
    digest: verdict.digest,
    ...(edit === null ? {} : { edit }),
    ...(demands === null ? {} : { demands }),
    ...(grant === undefined ? {} : { grant }),
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    ...(verdict.face === undefined ? {} : { face: verdict.face }),
    ...(verdict.together === undefined ? {} : { together: verdict.together }),
    permitMs: newPermitMs,
    at: context.now(),
  }
}

/** Policy's demands on whoever approves what would run, as it is now: it may have become stricter since the call was held. A no is anybody's. */
function demandsNow(
  context: GateContext,
  snapshot: PolicySnapshot,
  approval: Approval,
  { kind }: Pick<Verdict, "kind">,
  edit: Edit | null,
): Demands | null {
  if (kind === "deny") return null
  const args = edit?.args ?? approval.editedArgs ?? approval.args ?? {}
  return demandsOnVotes(snapshot, judgeCall(context, snapshot, approval, args))
}

/** Edited arguments pass the tool's schema and policy again, as if they had been proposed. */
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
  const problems = problemsOfEdit(snapshot, approval, verdict.args)
  if (problems.length > 0) return { code: "invalid-arguments", problems }
  const decision = judgeCall(context, snapshot, approval, verdict.args)
  if (isForbidden(decision)) return { code: "forbidden-by-policy", reason: reasonOf(decision, targetOf(approval)) }
  const before = await approvedBefore(context, approval, verdict.args, digest)
  const checked = checkArguments(context, snapshot, approval, verdict.args, before)
  return { edit: { args: verdict.args, digest, checked } }
}

/** The caller's connection may list another definition than the newest: the edit is checked by the one that the call was held with. */
function problemsOfEdit(
  snapshot: PolicySnapshot,
  { tool, fingerprint }: Approval,
  args: JsonObject,
): readonly string[] {
  const newest = snapshot.facts(tool)
  if (newest === undefined || fingerprint === "" || newest.fingerprint === fingerprint)
    return newest?.check?.(args) ?? []
  const pin = snapshot.pinsOf(tool.server).find((each) => each.tool === tool.tool)
  const held = [pin?.accepted, pin?.proposed].find((each) => each?.fingerprint === fingerprint)
  if (held === undefined || held === null)
    return [
      "This call cannot be edited: its tool is described differently where it comes from. Allow it as it is, or deny it.",
    ]
  return snapshot.facts(tool, { definition: held.definition })?.check?.(args) ?? []
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
  demands: Demands | null,
): Grant | AnswerRefusal | null {
  if (verdict.remember === undefined) return null
  if (demands !== null && (demands.remember === "never" || demands.needs.approvals > 1))
    return { code: "never-remember" }
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
    let one = await settleOne(context, verdict, grant, listed)
    for (let attempt = 1; one === "again" && attempt < maxAttempts; attempt++) {
      one = await settleOne(context, verdict, grant, listed)
    }
    settled.push(one === "again" ? no(listed.approval, keptChanging) : one)
  }
  return settled
}

async function settleOne(
  context: GateContext,
  verdict: Verdict,
  grant: Grant,
  listed: { readonly approval: string; readonly digest: string },
): Promise<AlsoSettled | "again"> {
  const waiting = await context.store.approval(listed.approval)
  if (waiting === undefined) return { ok: false, approval: listed.approval, refusal: { code: "not-found" } }
  const snapshot = await context.snapshots.current()
  const conditions = snapshot.compiled.contextOf(waiting.tool.server)
  if (!grantCovers(grant, waiting, snapshot.facts(waiting.tool), conditions)) {
    const detail = "The permission does not cover this call."
    return { ok: false, approval: listed.approval, refusal: { code: "breadth-mismatch", detail } }
  }
  const demands = demandsNow(context, snapshot, waiting, verdict, null)
  const changed = await changeApproval(
    context,
    waiting,
    () => verdictEvent(context, { ...verdict, digest: listed.digest }, { edit: null, demands, grant: grant.id }),
    { ...(await noting(context, waiting, verdict, null)), ...(demands === null ? {} : { epoch: snapshot.epoch }) },
  )
  if (changed.kind === "stale") return "again"
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
