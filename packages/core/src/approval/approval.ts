import type { CallConnection, EpochMs, Principal, Session, ToolRef } from "../call/call.ts"
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import type { Access, TargetKind } from "../policy/rules/rule.ts"
import type { CheckedArguments } from "./checked-arguments.ts"
import type { Refusal } from "./refusal.ts"

/** Where a person gave a verdict, as the program they used says. */
export type VerdictFace = "inbox" | "chat" | "side-panel" | "terminal"

export type Vote = {
  readonly reviewer: string
  readonly groups: readonly string[]
  /** Of the reviewer, as in `Reviewer`. */
  readonly since?: EpochMs
  readonly kind: "approve" | "deny"
  /** The digest of the arguments this reviewer saw. */
  readonly digest: string
  readonly at: EpochMs
  readonly reason?: string
  /** Absent: it was not told. */
  readonly face?: VerdictFace
  /** One answer was given to this call and others at once. */
  readonly together?: true
}

/** The caller waiting on this approval, named by the process and request that hold it. */
export type CallerId = string

/** The fields that every approval has, in any status. */
export type Held = {
  readonly id: string
  /** Goes up by one with every change; what compare-and-set compares. */
  readonly version: number
  /** Almost always a tool; a rule may also hold a resource, a prompt or what a server asks of its client. */
  readonly kind: TargetKind
  readonly tool: ToolRef
  readonly principal: Principal
  readonly session: Session
  readonly createdAt: EpochMs
  readonly access: Access
  /** The arguments as the caller sent them; null once retention has removed them. */
  readonly args: JsonObject | null
  /** Goes to the server with the arguments, and is shown with them; absent: nothing does, or retention has removed it. */
  readonly extraParams?: JsonObject
  /** Params that MCP does not know and that do not go to the server. */
  readonly droppedParams?: readonly string[]
  /** Of the call that was held; absent: one that everybody shares. */
  readonly connection?: CallConnection
  readonly callDigest: string
  /** The arguments a reviewer wrote instead; null when there was no edit (or once removed: see `runDigest`). */
  readonly editedArgs: JsonObject | null
  /** The digest of the arguments that will be, or were, dispatched; equal to `callDigest` unless edited. */
  readonly runDigest: string
  readonly fingerprint: string
  readonly policyVersion: string
  /** Why it was asked, in a sentence; and the rule's text where one asked. */
  readonly why: string
  readonly rule: string | null
  readonly remember: "allowed" | "never"
  readonly needs: { readonly approvals: number; readonly groups: readonly string[]; readonly selfApproval: boolean }
  readonly votes: readonly Vote[]
  readonly caller: CallerId | null
  /** The approval this one runs anew. */
  readonly rerunOf: string | null
  /** The approval whose change of a file this one takes back. */
  readonly undoOf?: string
  /** Given by an agent run: only a call with the same key comes back to this approval, and a yes to it does not expire. */
  readonly key?: string
  /** The name of the starter of the agent run; absent: no run's, or held before it was kept. */
  readonly starter?: string
  /** Policy allowed it; the starter of the agent run wanted to be asked. */
  readonly requested?: true
  /** Of the arguments that would run. Absent where the call was held before this was kept, and once they are removed. */
  readonly checked?: CheckedArguments
}

export type PendingApproval = Held & { readonly status: "pending"; readonly expiresAt: EpochMs | null }

/** Approved and not yet started. With no caller attached it is a permit: good for one identical call until `expiresAt`; null: its agent run takes it up. */
export type ApprovedApproval = Held & {
  readonly status: "approved"
  readonly at: EpochMs
  readonly by: string
  readonly grant: string | null
  readonly expiresAt: EpochMs | null
}

/** A reviewer had it run while its agent was away; its outcome is kept until then for the agent's identical repeat. */
export type RunNow = { readonly by: string; readonly keptUntil: EpochMs }

export type RunningApproval = Held & {
  readonly status: "running"
  readonly startedAt: EpochMs
  readonly approvedBy: string
  /** The process that runs it; when its lease lapses nobody knows what happened. */
  readonly owner: string
  readonly leaseUntil: EpochMs
  /** The caller withdrew while it ran; the outcome still settles the record. */
  readonly cancelAsked: boolean
  /** Absent: its caller had it run. */
  readonly runNow?: RunNow
}

type Ran = Held & {
  readonly startedAt: EpochMs
  readonly settledAt: EpochMs
  readonly approvedBy: string
  readonly runNow?: RunNow
}

export type SucceededApproval = Ran & {
  readonly status: "succeeded"
  /** Null once retention has removed it. */
  readonly result: JsonValue
  /** Whether its caller has received it. Until then `caller` is the one being given it, or null: none was there. */
  readonly delivered: boolean
}

export type FailedApproval = Ran & {
  readonly status: "failed"
  /** The error of the tool or server, unchanged. */
  readonly error: JsonValue
  readonly delivered: boolean
}

export type UnknownApproval = Ran & { readonly status: "unknown"; readonly detail: string }

export type DeniedApproval = Held & {
  readonly status: "denied"
  readonly settledAt: EpochMs
  readonly refusal: Refusal
  readonly by: string | null
}
export type ExpiredApproval = Held & { readonly status: "expired"; readonly settledAt: EpochMs }
export type CancelledApproval = Held & {
  readonly status: "cancelled"
  readonly settledAt: EpochMs
  readonly detail: string
}
export type SupersededApproval = Held & {
  readonly status: "superseded"
  readonly settledAt: EpochMs
  readonly detail: string
}

export type Approval =
  | PendingApproval
  | ApprovedApproval
  | RunningApproval
  | SucceededApproval
  | FailedApproval
  | UnknownApproval
  | DeniedApproval
  | ExpiredApproval
  | CancelledApproval
  | SupersededApproval

export type ApprovalStatus = Approval["status"]
export type OpenStatus = "pending" | "approved" | "running"

export const openStatuses: readonly OpenStatus[] = ["pending", "approved", "running"]
