import type { EpochMs } from "../call/call.ts"
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import type { Approval, CallerId, Held, VerdictFace } from "./approval.ts"
import type { CheckedArguments } from "./checked-arguments.ts"
import type { Refusal } from "./refusal.ts"
import type { GroupsNow } from "./votes.ts"

/** A person who may decide, as the credential says; never as a request's body says. */
export type Reviewer = {
  readonly id: string
  readonly groups: readonly string[]
  /** When they became one: tells them from whoever had the name before or has it later. */
  readonly since?: EpochMs
}

/** A reviewer's replacement for the call's arguments. */
export type Edit = {
  readonly args: JsonObject
  readonly digest: string
  readonly checked?: CheckedArguments
}

/** Policy's demands on those who approve what would run. They raise an approval's requirements, and never lower them. */
export type Demands = {
  readonly needs: Held["needs"]
  readonly remember: Held["remember"]
  /** Absent: earlier votes count as they were given. */
  readonly groupsNow?: GroupsNow
}

export type ApprovalEvent =
  | {
      readonly type: "verdict"
      readonly kind: "approve" | "deny"
      readonly reviewer: Reviewer
      /** The digest of the arguments the reviewer saw: `runDigest` as it stands. */
      readonly digest: string
      /** New arguments, already checked against schema and policy. */
      readonly edit?: Edit
      /** As policy is now, for the arguments that would run. */
      readonly demands?: Demands
      /** The grant this verdict is given by, when a grant releases the call. */
      readonly grant?: string
      readonly reason?: string
      readonly face?: VerdictFace
      readonly together?: true
      readonly permitMs: number
      readonly at: EpochMs
    }
  | { readonly type: "attach"; readonly caller: CallerId; readonly at: EpochMs }
  | { readonly type: "detach"; readonly caller: CallerId; readonly permitMs: number; readonly at: EpochMs }
  | { readonly type: "extend"; readonly reviewer: Reviewer; readonly until: EpochMs | null; readonly at: EpochMs }
  /** The session showed a sign of life: a permit lives until then plus its time, at most eight hours. */
  | { readonly type: "renew-permit"; readonly permitMs: number; readonly at: EpochMs }
  | {
      readonly type: "claim"
      readonly caller: CallerId
      readonly owner: string
      readonly leaseUntil: EpochMs
      /** The definition the tool has now; a changed one supersedes. */
      readonly fingerprint: string
      readonly at: EpochMs
    }
  /** A reviewer has it run for a caller that is away. */
  | {
      readonly type: "run-now"
      readonly reviewer: Reviewer
      readonly owner: string
      readonly leaseUntil: EpochMs
      readonly fingerprint: string
      readonly at: EpochMs
    }
  | { readonly type: "renew-lease"; readonly owner: string; readonly leaseUntil: EpochMs; readonly at: EpochMs }
  /** Its owner is gone, and the program that runs the call has come to another process. */
  | {
      readonly type: "take-over"
      readonly from: string
      readonly owner: string
      readonly leaseUntil: EpochMs
      readonly at: EpochMs
    }
  | { readonly type: "settle"; readonly owner: string; readonly outcome: RunOutcome; readonly at: EpochMs }
  /** The lease lapsed, or the store was opened after a crash. */
  | { readonly type: "lose"; readonly detail: string; readonly at: EpochMs }
  | { readonly type: "expire"; readonly at: EpochMs }
  | { readonly type: "cancel"; readonly detail: string; readonly at: EpochMs }
  /** A reviewer takes an approval back that nobody has used yet. */
  | { readonly type: "revoke"; readonly reviewer: Reviewer; readonly at: EpochMs }
  /** A newer hide or deny rule, or a deny grant. */
  | { readonly type: "forbid"; readonly refusal: Refusal; readonly at: EpochMs }
  | { readonly type: "supersede"; readonly detail: string; readonly at: EpochMs }
  /** The caller it was given to has received the outcome. */
  | { readonly type: "deliver"; readonly caller: CallerId; readonly at: EpochMs }
  /** The caller it was given to was gone. */
  | { readonly type: "miss"; readonly caller: CallerId; readonly at: EpochMs }

/** The outcome of running the call. `unknown`: the connection broke after the first byte was sent. */
export type RunOutcome =
  | { readonly kind: "succeeded"; readonly result: JsonValue }
  | { readonly kind: "failed"; readonly error: JsonValue }
  | { readonly kind: "unknown"; readonly detail: string }

/** Why an event did not apply. Values, not exceptions: every one of them is expected somewhere. */
export type TransitionRefusal =
  | { readonly code: "already-settled"; readonly status: Approval["status"] }
  /** A verdict that contradicts the one already given. */
  | { readonly code: "conflict"; readonly status: Approval["status"] }
  | { readonly code: "digest-mismatch"; readonly expected: string }
  | { readonly code: "self-approval"; readonly reviewer: string }
  | { readonly code: "not-in-group"; readonly groups: readonly string[] }
  | { readonly code: "past-expiry"; readonly expiresAt: EpochMs }
  | { readonly code: "not-due" }
  | { readonly code: "not-approved"; readonly status: Approval["status"] }
  | { readonly code: "has-caller" }
  | { readonly code: "not-the-caller" }
  | { readonly code: "not-the-owner" }
  | { readonly code: "not-pending"; readonly status: Approval["status"] }
  | { readonly code: "edit-after-vote" }

/** An effect that the composition must carry out after the next state is committed; never before. */
export type ApprovalEffect =
  | { readonly type: "run-call" }
  | { readonly type: "tell-caller"; readonly caller: CallerId }
  | { readonly type: "cancel-upstream"; readonly owner: string }

export type Transition =
  | { readonly kind: "moved"; readonly next: Approval; readonly effects: readonly ApprovalEffect[] }
  /** The event is already true; the same verdict twice is fine. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "refused"; readonly refusal: TransitionRefusal }
