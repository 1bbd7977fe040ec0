import type { RefusalCode } from "../approval/refusal.ts"
import type { EpochMs } from "../call/call.ts"
import type { JsonObject } from "../call/json/json.ts"
import type { Because } from "../policy/decide/decision.ts"
import type { Mode, TargetKind } from "../policy/rules/rule.ts"
import type { AuditType } from "./record.ts"

/** The facts that a record states about its payload. */
type Kept = {
  /** Bytes of JSON, where the payload is only the beginning of something too long to be kept; absent: it is whole. */
  readonly wholeBytes?: number
}

/** How a call was judged. Its payload is the arguments. */
export type JudgedBody = Kept & {
  readonly principal: string
  readonly session: string
  readonly server: string
  readonly tool: string
  /** The kind of thing that `tool` names. */
  readonly kind: TargetKind
  readonly because: Because["kind"]
  readonly rule: string | null
  readonly grant: string | null
  readonly reason: string
  /** The version of the policy that judged. */
  readonly policy: string
  readonly mode: Mode
  /** Keyed digest of the arguments. */
  readonly digest: string
  /** Keyed digest of what else went to the server with them, such as `_meta`; absent when nothing did. */
  readonly extra?: string
  /** Params that MCP does not know and that were left out; absent when there were none. */
  readonly dropped?: readonly string[]
  readonly fingerprint: string
  /** In `observe`: it ran, and would have asked. */
  readonly wouldAsk: boolean
  /** The no that the caller got; null when it got none. */
  readonly refusal: RefusalCode | null
  /** The approval this one runs anew. */
  readonly rerunOf: string | null
  /** The approval whose change of a file this one takes back; absent: it takes none back. */
  readonly undoOf?: string
}

/** The decision about a held call. The payload is the arguments a reviewer wrote instead, if any. */
export type DecidedBody = Kept & {
  readonly server: string
  readonly tool: string
  /** The person who decided; null: no person did, such as at an expiry. */
  readonly by: string | null
  readonly reason: string | null
  readonly refusal: RefusalCode | null
  /** Keyed digest of the arguments that were decided about. */
  readonly digest: string
  readonly edited: boolean
  /** The grant that released it. */
  readonly grant: string | null
  readonly votes: number
  /** How long it waits, or may be used once approved; null: for ever, or no longer. */
  readonly until: EpochMs | null
}

/** The start of a held call's run. */
export type StartedBody = {
  readonly server: string
  readonly tool: string
  readonly approvedBy: string
  /** Keyed digest of the arguments dispatched. */
  readonly digest: string
  readonly edited: boolean
  readonly owner: string
  /** The reviewer who had it run while its agent was away; absent: its caller waited for it. */
  readonly by?: string
}

/** The outcome of a run. The payload is the result or the error. */
export type OutcomeBody = Kept & {
  /** Why nobody can tell; null when somebody can. */
  readonly detail: string | null
}

export type GrantBody = {
  readonly id: string
  readonly effect: "allow" | "deny"
  readonly breadth: JsonObject
  /** Null: every session. */
  readonly session: { readonly principal: string; readonly id: string } | null
  /** The one agent it serves; absent: every agent, or the one of its session. */
  readonly agent?: string
  /** The one starter whose agent runs it serves; absent: not bound to one. */
  readonly starter?: string
  readonly until: EpochMs | null
  readonly uses: number | null
  readonly by: string
  /** The approval whose verdict made it. */
  readonly from: string | null
  readonly reason: string | null
}

export type GrantRevokedBody = { readonly id: string; readonly by: string | null }
export type ModeBody = {
  readonly principal: string
  readonly session: string
  readonly mode: Mode
  readonly until: EpochMs | null
  readonly by: string
}
export type SessionBody = { readonly principal: string; readonly session: string }
/** A program was started with switches by which it asks less by itself, such as `--allow-all-tools`. */
export type LaunchedBody = SessionBody & { readonly switches: readonly string[] }
export type LiftedBody = SessionBody & { readonly server: string; readonly tool: string; readonly by: string }
export type DefinitionBody = {
  readonly server: string
  /** Empty: the server itself, whose definition is its instructions. */
  readonly tool: string
  /** The fingerprint that was seen or answered; for a quarantine, the proposed one or else the accepted one. */
  readonly fingerprint: string
  /** The accepted one it differs from or replaces. */
  readonly was: string | null
  /** Null: seen, not answered by anyone. */
  readonly by: string | null
}
export type PolicyBody = { readonly was: string; readonly policy: string; readonly by: string | null }
/** A change to access rights, other than grants and policy. */
export type AccessBody = {
  readonly what: "token" | "reviewer" | "device" | "pin" | "sign-in"
  readonly change: "added" | "removed" | "changed"
  /** The name of the token, reviewer or device; never the secret itself. */
  readonly name: string
  /** Null: nobody, it happened. */
  readonly by: string | null
  /** Said of a token whose answers to calls of its own runs count. */
  readonly conveysDecisions?: true
}
/** A person's action on a server's connections. */
export type ServerBody = {
  readonly server: string
  readonly change: "stopped" | "started" | "reconnected"
  readonly by: string
}
export type RemovalBody = { readonly before: EpochMs; readonly approvals: number; readonly records: number }
/** A moment in the life of an agent run. Its calls have records of their own. */
export type AgentRunBody = {
  readonly run: string
  readonly principal: string
  readonly title: string
  readonly model: string
  readonly leg: number
  /** The person or program that started, continued, cancelled, exported or imported the run; null: the run itself. */
  readonly by: string | null
  /** The approvals it waits for; only where it paused. */
  readonly requirements?: readonly string[]
  /** Why it failed or was cancelled. */
  readonly detail?: string
  /** Names the state it was carried in. */
  readonly state?: string
}
/** Heads of other chains: `verify` holds those chains to them. */
export type AnchorsBody = { readonly anchors: readonly JsonObject[] }
export type OpeningBody = AnchorsBody & {
  readonly key: string
  readonly version: number
  /** Promises that a record dated more than so many ms after the chain's signed head is committed with a new signature only. */
  readonly signedWithin?: number
}

export type AuditBodies = {
  readonly "chain.opened": OpeningBody
  readonly "heads.anchored": AnchorsBody
  readonly "call.hidden": JudgedBody
  readonly "call.denied": JudgedBody
  readonly "call.asked": JudgedBody
  readonly "call.allowed": JudgedBody
  readonly "approval.voted": DecidedBody
  readonly "approval.approved": DecidedBody
  readonly "approval.denied": DecidedBody
  readonly "approval.extended": DecidedBody
  readonly "approval.expired": DecidedBody
  readonly "approval.cancelled": DecidedBody
  readonly "approval.superseded": DecidedBody
  readonly "run.started": StartedBody
  readonly "run.succeeded": OutcomeBody
  readonly "run.failed": OutcomeBody
  readonly "run.unknown": OutcomeBody
  readonly "grant.created": GrantBody
  readonly "grant.revoked": GrantRevokedBody
  readonly "mode.set": ModeBody
  readonly "session.launched": LaunchedBody
  readonly "session.ended": SessionBody
  readonly "tool.lifted": LiftedBody
  readonly "definition.pinned": DefinitionBody
  readonly "definition.proposed": DefinitionBody
  readonly "definition.accepted": DefinitionBody
  readonly "definition.rejected": DefinitionBody
  readonly "definition.quarantined": DefinitionBody
  readonly "definition.lifted": DefinitionBody
  readonly "policy.changed": PolicyBody
  readonly "access.changed": AccessBody
  readonly "server.changed": ServerBody
  readonly "payloads.removed": RemovalBody
  readonly "agent-run.started": AgentRunBody
  readonly "agent-run.paused": AgentRunBody
  readonly "agent-run.resumed": AgentRunBody
  readonly "agent-run.finished": AgentRunBody
  readonly "agent-run.failed": AgentRunBody
  readonly "agent-run.stopped": AgentRunBody
  readonly "agent-run.cancelled": AgentRunBody
  readonly "agent-run.exported": AgentRunBody
  readonly "agent-run.imported": AgentRunBody
}

/** Fails to compile when a type of record has no body. */
export type BodyOf<T extends AuditType> = AuditBodies[T]
