import type { Approval } from "../../approval/approval.ts"
import type { Reviewer } from "../../approval/approval-event.ts"
import type { ApprovalSummary } from "../../approval/approval-summary.ts"
import { besideArgs } from "../../approval/moves.ts"
import { afterEnd, bearsOnDecisions, type Forgotten } from "../../approval/usage/session-record.ts"
import { whyNotApprover } from "../../approval/votes.ts"
import { type Call, type EpochMs, type Session, sessionKey } from "../../call/call.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { Decision } from "../../policy/decide/decision.ts"
import { reasonOf } from "../../policy/decide/sentences.ts"
import { scopeOf } from "../../policy/rules/remembered.ts"
import { isTime, mustBeACall, mustBeSession } from "../callers/check-call.ts"
import { heldFrom } from "../callers/hold.ts"
import { callDigestOf, isForbidden, judgeCall, targetOf } from "../callers/judge-call.ts"
import type { GateContext } from "../context.ts"
import type { VerdictResult } from "../gate.ts"
import { recordJudgement } from "../record-judgement.ts"
import { revokedRefusal, tokenRevoked } from "../revocations.ts"
import { answer, answerOf, no } from "./answer.ts"
import { approvedBefore } from "./approved-before.ts"
import { changeApproval } from "./change-approval.ts"
import { changeSession } from "./change-session.ts"

export async function cancel(
  context: GateContext,
  id: string,
  principal: string,
  detail: string,
): Promise<VerdictResult> {
  const approval = await context.store.approval(id)
  // Another principal's approval is as unknown to this one as none at all.
  if (approval === undefined || approval.principal.id !== principal) return no(id, { code: "not-found" })
  return answerOf(id, await changeApproval(context, id, () => ({ type: "cancel", detail, at: context.now() })))
}

export async function extend(
  context: GateContext,
  id: string,
  reviewer: Reviewer,
  until: EpochMs | null,
): Promise<VerdictResult> {
  if (until !== null && !isTime(until)) {
    return no(id, { code: "invalid-verdict", detail: "The time must be a whole number of milliseconds." })
  }
  const extended = await changeApproval(context, id, () => ({ type: "extend", reviewer, until, at: context.now() }), {
    by: reviewer.id,
  })
  return answerOf(id, extended)
}

/** Takes back an approval that nobody has used yet: the same call, made again, asks again. */
export async function revoke(context: GateContext, id: string, reviewer: Reviewer): Promise<VerdictResult> {
  const event = () => ({ type: "revoke" as const, reviewer, at: context.now() })
  return answerOf(id, await changeApproval(context, id, event, { by: reviewer.id }))
}

/** Only what ran without a good end can be run anew; everything else the agent can simply propose again. */
export async function rerun(
  context: GateContext,
  id: string,
  digest: string,
  reviewer: Reviewer,
): Promise<VerdictResult> {
  const old = await context.store.approval(id)
  if (old === undefined) return no(id, { code: "not-found" })
  if (old.status !== "unknown" && old.status !== "failed") return no(id, { code: "not-rerunnable", status: old.status })
  if (digest !== old.runDigest) return no(id, { code: "digest-mismatch", expected: old.runDigest })
  const call = callOf(old)
  if (call === null) return no(id, { code: "arguments-removed" })
  const edit = old.editedArgs === null ? {} : { edit: { args: old.editedArgs, digest: old.runDigest } }
  // An undo stays one, however often it is run anew: the file is looked at before each run.
  const { undoOf, starter } = old
  const named = {
    rerunOf: id,
    ...(undoOf === undefined ? {} : { undoOf }),
    ...(starter === undefined ? {} : { starter }),
  }
  return holdApproved(context, call, reviewer, { of: id, callDigest: old.callDigest, named, ...edit })
}

/** Only what ran well has changed anything that could be taken back. `call`: what takes it back, for the reviewer, by the same server. */
export async function undo(context: GateContext, id: string, call: Call, reviewer: Reviewer): Promise<VerdictResult> {
  mustBeACall(call)
  const old = await context.store.approval(id)
  if (old === undefined || old.tool.server !== call.tool.server) return no(id, { code: "not-found" })
  if (old.status !== "succeeded") return no(id, { code: "not-undoable", status: old.status })
  const callDigest = callDigestOf(context, call, call.args)
  return holdApproved(context, call, reviewer, { of: id, callDigest, named: { undoOf: id } })
}

type ForReviewer = {
  /** The approval that it comes from. */
  readonly of: string
  readonly callDigest: string
  readonly named: { readonly rerunOf?: string; readonly undoOf?: string; readonly starter?: string }
  readonly edit?: { readonly args: JsonObject; readonly digest: string }
}

/** A call that a reviewer has made, held for nobody and approved by them; what else policy asks for, it still asks for. */
async function holdApproved(
  context: GateContext,
  call: Call,
  reviewer: Reviewer,
  how: ForReviewer,
): Promise<VerdictResult> {
  const held = await holdForReviewer(context, call, reviewer, how)
  if ("ok" in held) return held
  return answer(context, { approval: held.id, kind: "approve", digest: held.runDigest, reviewer })
}

async function holdForReviewer(
  context: GateContext,
  call: Call,
  reviewer: Reviewer,
  { of, callDigest, named, edit }: ForReviewer,
): Promise<Approval | VerdictResult> {
  const snapshot = await context.snapshots.current()
  const decision = judgeCall(context, snapshot, { ...call, starter: named.starter }, edit?.args ?? call.args)
  if (isForbidden(decision)) {
    return no(of, { code: "forbidden-by-policy", reason: reasonOf(decision, targetOf(call)) })
  }
  if (snapshot.isRevoked({ principal: call.principal, since: context.now() })) {
    return no(of, { code: "forbidden-by-policy", reason: revokedRefusal(call).reason })
  }
  const before = await approvedBefore(context, call, edit?.args ?? call.args, callDigest)
  const at = context.now()
  const asked: Decision = { ...decision, effect: "ask" }
  const how = { caller: null, at, before, callDigest, ...named, ...(edit === undefined ? {} : { edit }) }
  const held = heldFrom(context, snapshot, call, asked, how)
  // Asked before it is held: a refused one must not stay behind, waiting.
  const ineligible = whyNotApprover(held, reviewer)
  if (ineligible !== null) return no(of, ineligible)
  const committed = await recordJudgement(context, {
    at,
    approvals: [{ next: held, replaces: null }],
    records: [context.recorder.judged(held.id, call, { decision: asked, snapshot, ...named }, at)],
    events: [{ type: "approval.pending", subject: held.id }],
    epoch: snapshot.epoch,
    durability: "full",
  })
  if (committed.ok) return held
  context.snapshots.forget()
  return no(of, { code: "store-unavailable", detail: "Permissions changed in the meantime. Try again." })
}

/** The call as its caller made it. Null when retention has removed what would run. */
function callOf(approval: Approval): Call | null {
  if (approval.args === null || (approval.editedArgs === null && approval.runDigest !== approval.callDigest))
    return null
  return {
    kind: approval.kind,
    tool: approval.tool,
    args: approval.args,
    ...besideArgs(approval),
    principal: approval.principal,
    session: approval.session,
  }
}

/**
 * Ends a session for its program: forgets what was allowed in it, then cancels the calls that wait in it. Calls being judged meanwhile are judged anew. A
 * program names its sessions itself and may name the same one again, so what was refused in it stays.
 */
export function endSession(context: GateContext, session: Session): Promise<void> {
  return endWith(context, session, { forgets: "allowed", statuses: waiting })
}

/** Ends a session for a person, who forgets what was refused in it, too. What runs in it is asked to stop: a call that still waits for its turn at the server is not sent. */
export function stopSession(context: GateContext, session: Session): Promise<void> {
  return endWith(context, session, { forgets: "everything", statuses: unsettled })
}

/** Ends the session of a run that is over: the service names runs, and none goes on after its end. */
export function endSessionOfRun(context: GateContext, session: Session): Promise<void> {
  return endWith(context, session, { forgets: "everything", statuses: waiting })
}

const sessionEnded = "its session ended."
const waiting = ["pending", "approved"] as const
const unsettled = [...waiting, "running"] as const

type Ending = { readonly forgets: Forgotten; readonly statuses: readonly Approval["status"][] }

async function endWith(context: GateContext, session: Session, { forgets, statuses }: Ending): Promise<void> {
  mustBeSession(session)
  try {
    await forgetSession(context, session, forgets)
  } finally {
    // Whatever became of the rest, nothing stays approvable for a session that is over.
    const where = { principal: session.principal, session: session.id }
    await cancelAll(context, await everyOpen(context, where, statuses), sessionEnded)
  }
}

/** Forgets what decisions about the session rest on: its grants, its mode, the tools refused in it; or of these only what allows. A denial for the agent is not the session's. */
async function forgetSession(context: GateContext, session: Session, forgets: Forgotten): Promise<void> {
  await changeSession(context, session, (before, at, grants) => {
    const own = grants.filter((grant) => scopeOf(grant).session !== undefined)
    const gone = forgets === "everything" ? own : own.filter(({ effect }) => effect === "allow")
    const next = afterEnd(before, forgets, at)
    const lost = before.lifted.length + before.refused.length - next.lifted.length - next.refused.length
    const isAsBefore = next.mode === before.mode && lost === 0
    return {
      next,
      grants: gone.map((grant) => ({ remove: grant.id })),
      records: [
        context.recorder.sessionEnded(session, at),
        ...gone.map((grant) => context.recorder.grantRevoked(grant.id, null, at)),
      ],
      event: "session.ended",
      // Agents open and end sessions as often as they like: nobody else's calls are judged anew for one that meant nothing.
      keepsDecisions: gone.length === 0 && (isAsBefore || !bearsOnDecisions(before)),
    }
  })
}

async function cancelAll(
  context: GateContext,
  open: ReadonlyArray<Pick<ApprovalSummary, "id">>,
  detail: string,
): Promise<void> {
  for (const { id } of open) {
    await changeApproval(context, id, () => ({ type: "cancel", detail, at: context.now() }))
  }
}

/**
 * Cancels the calls that principals whose credential was revoked made before `until`, then ends their sessions in which something was held, granted or
 * remembered before then. Sessions that have ended stay as they are: an agent can end any number of them.
 */
export async function endRevokedSessions(
  context: GateContext,
  isTheirs: (principal: string) => boolean,
  until: EpochMs,
): Promise<void> {
  const isOld = (since: EpochMs | undefined): boolean => (since ?? 0) < until
  const everyones = await everyOpen(context, {}, unsettled)
  const open = everyones.filter(({ principal, createdAt }) => isTheirs(principal.id) && isOld(createdAt))
  await cancelAll(context, open, tokenRevoked)
  const { grants, sessions } = await context.store.decisionState()
  const found = new Map<string, Session>()
  const add = ({ principal, id, named = false }: Pick<Session, "principal" | "id"> & Partial<Session>): void => {
    if (isTheirs(principal)) found.set(sessionKey({ principal, id }), { principal, id, named })
  }
  for (const session of sessions) if (isOld(session.since)) add(session)
  for (const { session, createdAt } of grants) if (session !== undefined && isOld(createdAt)) add(session)
  for (const { session } of open) {
    const record = await context.store.session(session)
    if (record === undefined || record.endedAt === null) add(session)
  }
  for (const session of found.values()) await forgetSession(context, session, "everything")
}

/** Everything pending or approved, page by page; what changes meanwhile settles itself by its own transition. */
export async function everyOpen(
  context: GateContext,
  where: { readonly principal?: string; readonly session?: string; readonly server?: string; readonly tool?: string },
  statuses: readonly Approval["status"][] = waiting,
): Promise<readonly ApprovalSummary[]> {
  const found: ApprovalSummary[] = []
  const limit = 500
  for (;;) {
    const last = found.at(-1)
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await context.store.approvals({ ...where, ...after, statuses, limit })
    found.push(...page)
    if (page.length < limit) return found
  }
}
