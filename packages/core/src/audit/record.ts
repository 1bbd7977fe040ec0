import type { EpochMs } from "../call/call.ts"
import type { JsonObject } from "../call/json/json.ts"

/** Every kind of audit record. The life cycle can be verified from types and steps alone. */
export const auditTypes = [
  "chain.opened",
  "heads.anchored",
  "call.hidden",
  "call.denied",
  "call.asked",
  "call.allowed",
  "approval.voted",
  "approval.approved",
  "approval.denied",
  "approval.extended",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
  "run.started",
  "run.succeeded",
  "run.failed",
  "run.unknown",
  "grant.created",
  "grant.revoked",
  "mode.set",
  "session.launched",
  "session.ended",
  "tool.lifted",
  "definition.pinned",
  "definition.proposed",
  "definition.accepted",
  "definition.rejected",
  "definition.quarantined",
  "definition.lifted",
  "policy.changed",
  "access.changed",
  "server.changed",
  "payloads.removed",
  "agent-run.started",
  "agent-run.paused",
  "agent-run.resumed",
  "agent-run.finished",
  "agent-run.failed",
  "agent-run.stopped",
  "agent-run.cancelled",
  "agent-run.exported",
  "agent-run.imported",
] as const

export type AuditType = (typeof auditTypes)[number]

/** A record that the gate asks for; a store links it into its chain in the commit that makes it true. */
export type AuditDraft = {
  readonly type: AuditType
  /** The call or approval this is about; null for everything else. */
  readonly subject: string | null
  /** Orders the records of one subject across writers: 0 for the judgement, then the approval's version. */
  readonly step: number
  readonly at: EpochMs
  /** Redacted; digests in it are keyed. Never arguments or results: those are payload. */
  readonly body: JsonObject
  /** Redacted arguments or result as JSON text. Outside the chain, so that retention can remove it. */
  readonly payload?: string
}

/**
 * A record in a chain. `text` is JSON whose first members are writer, seq, type, subject, step and at, in that order,
 * so that the columns can be checked against it without parsing; `hash` is SHA-256 of the previous hash, a newline and `text`.
 */
export type AuditRecord = {
  readonly writer: string
  readonly seq: number
  readonly type: AuditType
  readonly subject: string | null
  readonly step: number
  readonly at: EpochMs
  readonly text: string
  readonly hash: string
}

/** The end of one writer's chain. */
export type ChainHead = { readonly writer: string; readonly seq: number; readonly hash: string }

/** A head with its signature; records after it are not vouched for yet (at most a quarter of a second of them). */
export type SignedHead = ChainHead & { readonly at: EpochMs; readonly keyId: string; readonly signature: string }

/** All writers that ever opened a chain here, signed; so a chain that vanished whole is missed. */
export type SignedRoster = { readonly writers: readonly string[]; readonly keyId: string; readonly signature: string }
