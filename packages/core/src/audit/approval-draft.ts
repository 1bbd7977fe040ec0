import type {
  Approval,
  ApprovedApproval,
  CancelledApproval,
  DeniedApproval,
  ExpiredApproval,
  FailedApproval,
  PendingApproval,
  RunningApproval,
  SucceededApproval,
  SupersededApproval,
  UnknownApproval,
} from "../approval/approval.ts"
import type { RunOutcome } from "../approval/approval-event.ts"
import type { RefusalCode } from "../approval/refusal.ts"
import type { EpochMs } from "../call/call.ts"
import type { BodyOf } from "./audit-bodies.ts"
import { type DraftTools, keyedDigest, outcomeDraft, withPayload } from "./drafts.ts"
import type { AuditDraft } from "./record.ts"

/**
 * The record a move of an approval deserves; null for what only keeps it going (attaching, detaching, renewals,
 * delivery). `before` null: it is new, and if it waits its judgement is the record. `by`: who extended or revoked it.
 */
export function approvalDraft(
  before: Approval | null,
  next: Approval,
  at: EpochMs,
  tools: DraftTools,
  by?: string,
): AuditDraft | null {
  const place = { subject: next.id, step: next.version }
  if (next.status !== "pending" && before?.status === next.status) return null
  switch (next.status) {
    case "pending":
      return pendingDraft(before, next, at, tools, by ?? null)
    case "approved":
      return { type: "approval.approved", ...place, at, ...decidedDraft(next, approvedBy(next), tools) }
    case "running":
      return { type: "run.started", ...place, at, body: startedBody(next, tools) }
    case "succeeded":
    case "failed":
    case "unknown":
      return outcomeDraft(place, outcomeOf(next), at, tools)
    case "denied":
    case "expired":
    case "cancelled":
    case "superseded":
      return { type: `approval.${next.status}`, ...place, at, ...decidedDraft(next, refusedBy(next, by), tools) }
  }
}

type Decided = {
  readonly by: string | null
  readonly reason?: string | undefined
  readonly refusal?: RefusalCode
  readonly grant?: string | null
}

function pendingDraft(
  before: Approval | null,
  next: PendingApproval,
  at: EpochMs,
  tools: DraftTools,
  by: string | null,
): AuditDraft | null {
  const place = { subject: next.id, step: next.version }
  if (before?.status !== "pending") return null
  if (hasNewVote(before, next)) {
    return { type: "approval.voted", ...place, at, ...decidedDraft(next, lastVote(next), tools) }
  }
  if (next.expiresAt === before.expiresAt) return null
  return { type: "approval.extended", ...place, at, ...decidedDraft(next, { by }, tools) }
}

/** Not by their number: a vote that edits the arguments drops the earlier ones. */
function hasNewVote(before: PendingApproval, next: PendingApproval): boolean {
  const last = next.votes.at(-1)
  const known = before.votes.at(-1)
  return last?.at !== known?.at || last?.reviewer !== known?.reviewer || next.runDigest !== before.runDigest
}

function lastVote(approval: Approval): Decided {
  const vote = approval.votes.at(-1)
  return { by: vote?.reviewer ?? null, reason: vote?.reason }
}

function approvedBy(approval: ApprovedApproval): Decided {
  return { by: approval.by, reason: approval.votes.at(-1)?.reason, grant: approval.grant }
}

function refusedBy(
  approval: DeniedApproval | ExpiredApproval | CancelledApproval | SupersededApproval,
  revokedBy?: string,
): Decided {
  switch (approval.status) {
    case "denied":
      return { by: approval.by, reason: approval.refusal.reason || undefined, refusal: approval.refusal.code }
    case "expired":
      return { by: null, refusal: "expired" }
    case "cancelled":
    case "superseded":
      return { by: revokedBy ?? null, reason: approval.detail, refusal: approval.status }
  }
}

function decidedDraft(next: Approval, decided: Decided, tools: DraftTools): Pick<AuditDraft, "body" | "payload"> {
  const text = tools.redactor.redactText
  const body: BodyOf<"approval.approved"> = {
    server: text(next.tool.server),
    tool: text(next.tool.tool),
    by: decided.by === null ? null : text(decided.by),
    reason: decided.reason === undefined ? null : text(decided.reason),
    refusal: decided.refusal ?? null,
    digest: keyedDigest(tools.hasher, tools.digestKey, next.runDigest),
    edited: next.runDigest !== next.callDigest,
    grant: decided.grant ?? null,
    votes: next.votes.length,
    until: "expiresAt" in next ? next.expiresAt : null,
  }
  return next.editedArgs === null ? { body } : withPayload({ body }, next.editedArgs, tools)
}

function startedBody(next: RunningApproval, tools: DraftTools): BodyOf<"run.started"> {
  const text = tools.redactor.redactText
  return {
    server: text(next.tool.server),
    tool: text(next.tool.tool),
    approvedBy: text(next.approvedBy),
    digest: keyedDigest(tools.hasher, tools.digestKey, next.runDigest),
    edited: next.runDigest !== next.callDigest,
    owner: next.owner,
    ...(next.runNow === undefined ? {} : { by: text(next.runNow.by) }),
  }
}

function outcomeOf(next: SucceededApproval | FailedApproval | UnknownApproval): RunOutcome {
  switch (next.status) {
    case "succeeded":
      return { kind: "succeeded", result: next.result }
    case "failed":
      return { kind: "failed", error: next.error }
    case "unknown":
      return { kind: "unknown", detail: next.detail }
  }
}
