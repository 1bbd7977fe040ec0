import type { Approval } from "../../approval/approval.ts"
import type { ApprovalEffect, ApprovalEvent, TransitionRefusal } from "../../approval/approval-event.ts"
import { transition } from "../../approval/transition.ts"
import type { CallUse } from "../../approval/usage/usage.ts"
import { toolKey } from "../../call/call.ts"
import { isReviewersDenial, refuseIfDeniedTooOften } from "../callers/denied-too-often.ts"
import type { GateContext } from "../context.ts"
import { type Change, type CommitResult, StoreError } from "../store.ts"

export type Changed =
  | { readonly kind: "moved"; readonly approval: Approval; readonly effects: readonly ApprovalEffect[] }
  | { readonly kind: "unchanged"; readonly approval: Approval }
  | { readonly kind: "refused"; readonly approval: Approval; readonly refusal: TransitionRefusal }
  | { readonly kind: "missing" }
  /** The policy snapshot that the event was judged by is out of date: judge again. */
  | { readonly kind: "stale"; readonly isBeyondLimit: boolean }

/** More rivals than this for one approval at once means something is wrong with the store. */
const maxAttempts = 100

export type ChangeWith = Pick<Change, "epoch" | "grants"> & { readonly records?: Change["records"] } & {
  readonly events?: Change["events"]
  readonly durability?: Change["durability"]
  /** Counted if this makes the call run. */
  readonly use?: CallUse
  /** Written if this approves the call. */
  readonly documents?: NonNullable<Change["documents"]>
  /** The person who did it, if the event itself leaves no trace of them in the approval. */
  readonly by?: string
}

/**
 * Applies an event to what the store holds: read, transition, compare-and-set, and again when somebody was faster. An
 * approval just read may be given instead of its id: it is believed where it leads to a commit, which finds out, and
 * read again where it leads to a refusal.
 */
export async function changeApproval(
  context: GateContext,
  subject: string | Approval,
  eventFor: (approval: Approval) => ApprovalEvent,
  extra: ChangeWith = {},
): Promise<Changed> {
  const id = typeof subject === "string" ? subject : subject.id
  let known = typeof subject === "string" ? null : subject
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const approval = known ?? (await context.store.approval(id))
    const isFresh = known === null
    known = null
    if (approval === undefined) return { kind: "missing" }
    const event = eventFor(approval)
    const moved = transition(approval, event)
    if (moved.kind === "moved") {
      const committed = await commitMoved(context, changeOf(context, approval, moved.next, event.at, extra))
      if (committed.ok) return { kind: "moved", approval: moved.next, effects: moved.effects }
      if (committed.conflict === "approval") continue
      context.snapshots.forget()
      return { kind: "stale", isBeyondLimit: committed.conflict === "use" }
    }
    if (isFresh) return { ...moved, approval }
  }
  throw new StoreError("busy", `the approval ${id} kept changing while it was being answered. Try again.`)
}

/** Commits approvals that were moved, and counts what a reviewer denied: whatever way a call was denied in, its tool is blocked once it was too often. */
export async function commitMoved(
  context: GateContext,
  change: Change & Required<Pick<Change, "approvals">>,
): Promise<CommitResult> {
  const committed = await context.store.commit(change)
  if (!committed.ok) return committed
  const denied = change.approvals.flatMap(({ next }) => (isReviewersDenial(next) ? [next] : []))
  // Of one commit are the calls of one session: those of one target are counted together.
  const byTarget = new Map(denied.map((approval) => [`${approval.kind} ${toolKey(approval.tool)}`, approval]))
  for (const approval of byTarget.values()) await refuseIfDeniedTooOften(context, approval)
  return committed
}

function changeOf(context: GateContext, before: Approval, next: Approval, at: number, extra: ChangeWith) {
  const record = context.recorder.approvalMoved(before, next, at, extra.by)
  return {
    at,
    approvals: [{ next, replaces: before.version }],
    ...(extra.grants === undefined ? {} : { grants: extra.grants }),
    ...(extra.epoch === undefined ? {} : { epoch: extra.epoch }),
    ...(extra.use === undefined || next.status !== "running" ? {} : { use: extra.use }),
    ...(extra.documents === undefined || next.status !== "approved" ? {} : { documents: extra.documents }),
    records: [...(record === null ? [] : [record]), ...(extra.records ?? [])],
    events: [
      { type: next.status === before.status ? "approval.changed" : `approval.${next.status}`, subject: next.id },
      ...(extra.events ?? []),
    ],
    durability: extra.durability ?? "full",
  } satisfies Change
}
