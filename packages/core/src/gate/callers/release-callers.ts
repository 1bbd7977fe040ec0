/**
 * A caller whose process is gone waits no more: people must not be told that a call runs now that only its repetition will run.
 *
 * I1. The callers of processes that are gone are released from all that waits for people or for them.
 * I2. Those of this process and of others that live are kept.
 * I3. It is looked for when a gate opens and whenever a process has gone since; what failed is done at the next look.
 * I4. What was approved for one of them is a permit, which its session is known to have.
 */
import type { ApprovalSummary } from "../../approval/approval-summary.ts"
import { sessionKey } from "../../call/call.ts"
import type { GateContext } from "../context.ts"
import { changeApproval } from "../reviewers/change-approval.ts"
import type { ApprovalQuery } from "../store.ts"
import { writerOf } from "./caller-name.ts"
import { newPermitMs } from "./permits.ts"

const pageSize = 200

/** To be called now and then. */
export async function releaseCallersOfTheGone(context: GateContext): Promise<void> {
  const before = context.seenAlive.writers
  const alive = await context.store.alive(context.now())
  context.seenAlive.writers = alive
  if (before?.every((writer) => alive.includes(writer)) === true) return
  // The release need not be awaited: a caller that comes back to a call by itself learns the same.
  context.track(releaseAll(context).catch(lookAgain(context)))
}

function lookAgain({ seenAlive }: GateContext): (trouble: unknown) => never {
  return (trouble) => {
    seenAlive.writers = null
    throw trouble
  }
}

async function releaseAll(context: GateContext): Promise<void> {
  let after: ApprovalQuery["after"]
  for (;;) {
    const query = { statuses: ["pending", "approved"] as const, limit: pageSize }
    const page = await context.store.approvals(after === undefined ? query : { ...query, after })
    // After the page: any caller attached by then was alive, or is gone.
    const alive = new Set(await context.store.alive(context.now()))
    for (const approval of page) if (!context.closing()) await releaseFrom(context, alive, approval)
    after = page.at(-1)
    if (page.length < pageSize || context.closing()) return
  }
}

async function releaseFrom(context: GateContext, alive: ReadonlySet<string>, found: ApprovalSummary): Promise<void> {
  const { caller } = found
  if (caller === null || writerOf(caller) === context.store.writer || alive.has(writerOf(caller))) return
  const released = await changeApproval(
    context,
    found.id,
    () => ({ type: "detach", caller, permitMs: newPermitMs, at: context.now() }),
    { durability: "soon" },
  )
  if (released.kind !== "moved" || released.approval.status !== "approved") return
  context.permits.add(sessionKey(found.session), found.id)
}
