import type { Approval } from "../approval/approval.ts"
import { changeApproval } from "./change-approval.ts"
import type { GateContext } from "./context.ts"
import { dispatch } from "./dispatch.ts"
import type { Outcome, Run, SubmitOptions } from "./gate.ts"
import { outcomeOf } from "./outcome.ts"

/** Callers are named by the process that holds them, so that others can tell whether anyone is still there. */
export function callerName(context: GateContext, name: string | undefined): string {
  return `${context.store.writer}/${name ?? context.options.newId()}`
}

/** Keeps the caller attached until the approval has an outcome, or until the caller has waited long enough. */
export async function waitOn(
  context: GateContext,
  held: Approval,
  caller: string,
  run: Run,
  options: SubmitOptions,
): Promise<Outcome> {
  const bell = context.waiters.bell(held.id)
  context.callers.add(caller)
  try {
    // Read after the bell hangs: an answer given before that rang for nobody.
    let approval = (await context.store.approval(held.id)) ?? held
    while (!context.closing()) {
      const step = approval.status === "approved" ? await dispatch(context, approval, caller, run) : outcomeOf(approval)
      if (step !== null && step !== "again") return step
      if (step === null && (await waitedEnough(bell.rung(), options.until))) break
      approval = (await context.store.approval(held.id)) ?? approval
    }
    return await leave(context, approval.id, caller)
  } finally {
    bell.stop()
    context.callers.delete(caller)
  }
}

async function waitedEnough(rung: Promise<void>, until: Promise<unknown> | undefined): Promise<boolean> {
  if (until === undefined) {
    await rung
    return false
  }
  return Promise.race([rung.then(() => false), until.then(() => true)])
}

/** Nobody waits any more; the call does. What settled in the meantime is the outcome after all. */
async function leave(context: GateContext, id: string, caller: string): Promise<Outcome> {
  const { permitMs } = context.times
  const left = await changeApproval(context, id, () => ({ type: "detach", caller, permitMs, at: context.now() }))
  if (left.kind === "missing" || left.kind === "stale") return { kind: "ticket", approval: id, expiresAt: null }
  const outcome = outcomeOf(left.approval)
  if (outcome !== null) return outcome
  const expiresAt = left.approval.status === "pending" ? left.approval.expiresAt : null
  return { kind: "ticket", approval: id, expiresAt }
}
