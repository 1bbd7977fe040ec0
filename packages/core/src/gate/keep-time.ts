/**
 * The effects of time on approvals, and this process's sign of life.
 *
 * I1. What this process runs is not given up, however late its lease is renewed.
 * I2. What another process ran is unknown only when there was time to come here with it: after its lease and after this gate's opening.
 */

import type { ApprovalEvent } from "../approval/approval-event.ts"
import type { ApprovalSummary } from "../approval/approval-summary.ts"
import { releaseCallersOfTheGone } from "./callers/release-callers.ts"
import type { GateContext } from "./context.ts"
import { changeApproval } from "./reviewers/change-approval.ts"

const pageSize = 200

/** Settles approvals past their time: waiting calls and permits expire, runs whose owner fell silent are unknown. */
export async function expireDue(context: GateContext): Promise<number> {
  let settled = 0
  for (;;) {
    const due = await context.store.due(context.now(), pageSize)
    let moved = 0
    for (const approval of due) {
      if (context.running.has(approval.id)) {
        await renewLease(context, approval.id)
        continue
      }
      if (mayComeBack(context, approval)) continue
      const changed = await changeApproval(context, approval.id, () => dueEvent(context, approval))
      if (changed.kind === "moved") moved += 1
    }
    settled += moved
    if (due.length < pageSize || moved === 0) return settled
  }
}

/** A program that runs the call elsewhere may only have lost the process that recorded it, and be looking for the next one. */
function mayComeBack({ openedAt, times, now }: GateContext, approval: ApprovalSummary): boolean {
  return approval.status === "running" && now() < Math.max(approval.leaseUntil, openedAt) + times.returnMs
}

function dueEvent(context: GateContext, approval: ApprovalSummary): ApprovalEvent {
  const at = context.now()
  if (approval.status !== "running") return { type: "expire", at }
  return { type: "lose", detail: "The process that ran this call stopped before it could report the outcome.", at }
}

/** Says that this process is alive, and renews the leases of the calls it is running. */
export async function renewLeases(context: GateContext): Promise<void> {
  await context.store.stayAlive(context.now() + context.times.leaseMs)
  await releaseCallersOfTheGone(context)
  for (const id of [...context.running.keys()]) await renewLease(context, id)
}

async function renewLease(context: GateContext, id: string): Promise<void> {
  const owner = context.store.writer
  const renewal = (): ApprovalEvent => {
    const at = context.now()
    return { type: "renew-lease", owner, leaseUntil: at + context.times.leaseMs, at }
  }
  await changeApproval(context, id, renewal, { durability: "soon" })
}
