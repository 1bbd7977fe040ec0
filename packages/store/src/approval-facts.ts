import type { Approval, ApprovalQuery, EpochMs } from "@byleave/core"
import type { Blind } from "./blinding.ts"

/** When it settled; null while it is open. */
export function settledAtOf(approval: Approval): EpochMs | null {
  return "settledAt" in approval ? approval.settledAt : null
}

/** When somebody must look at it again: its expiry, or the end of its lease; null when never. */
export function dueAtOf(approval: Approval): EpochMs | null {
  switch (approval.status) {
    case "pending":
    case "approved":
      return approval.expiresAt
    case "running":
      return approval.leaseUntil
    case "succeeded":
    case "failed":
    case "unknown":
    case "denied":
    case "expired":
    case "cancelled":
    case "superseded":
      return null
  }
}

/** Whether an identical call may find it: open, or settled with an outcome nobody has received. */
export function isAttachable(approval: Approval): boolean {
  if (settledAtOf(approval) === null) return true
  return (approval.status === "succeeded" || approval.status === "failed") && !approval.delivered
}

/**
 * The same approval once retention has removed what its caller sent and what came back. It is a new version, so that whoever
 * read it before cannot write the arguments back.
 */
export function withoutPayload(approval: Approval, blind: Blind): Approval {
  const digests = {
    callDigest: blind(approval.callDigest),
    runDigest: blind(approval.runDigest),
    votes: approval.votes.map((vote) => ({ ...vote, digest: blind(vote.digest) })),
  }
  // Warnings quote what the caller sent.
  const { extraParams: _, checked: __, ...kept } = approval
  const bare = { ...kept, ...digests, version: approval.version + 1, args: null, editedArgs: null }
  switch (bare.status) {
    case "succeeded":
      return { ...bare, result: null }
    case "failed":
      return { ...bare, error: null }
    default:
      return bare
  }
}

export function hasPayload(approval: Approval): boolean {
  if (approval.args !== null || approval.editedArgs !== null) return true
  if (approval.status === "succeeded") return approval.result !== null
  return approval.status === "failed" && approval.error !== null
}

export type WantedApprovals = Omit<ApprovalQuery, "limit" | "after">

/** The part of an approval that queries are about. */
type Facts = Pick<Approval, "status" | "createdAt"> & {
  readonly principal: string
  readonly session: string
  readonly server: string
  readonly tool: string
  /** Absent while it is open. */
  readonly settledAt?: EpochMs
}

export function matchesApproval(facts: Facts, query: WantedApprovals): boolean {
  return (
    (query.statuses === undefined || query.statuses.includes(facts.status)) &&
    (query.principal === undefined || query.principal === facts.principal) &&
    (query.session === undefined || query.session === facts.session) &&
    (query.server === undefined || query.server === facts.server) &&
    (query.tool === undefined || query.tool === facts.tool) &&
    (query.createdSince === undefined || query.createdSince <= facts.createdAt) &&
    (query.settledSince === undefined || (facts.settledAt !== undefined && query.settledSince <= facts.settledAt))
  )
}

export function factsOf(approval: Approval): Facts {
  const { status, createdAt, principal, session, tool } = approval
  const settledAt = settledAtOf(approval)
  return {
    ...{ status, createdAt, principal: principal.id, session: session.id, server: tool.server, tool: tool.tool },
    ...(settledAt === null ? {} : { settledAt }),
  }
}
