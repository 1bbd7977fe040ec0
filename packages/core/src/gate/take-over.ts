/**
 * A run that outlives the process which had it recorded: whoever carries it out comes to another process, and settles it there.
 * Nothing runs anew by that. Only what a process that is gone was running is taken over, and only by the session whose call it is.
 */
import type { RunningApproval } from "../approval/approval.ts"
import { type Session, sessionKey } from "../call/call.ts"
import { callerName, writerOf } from "./caller-name.ts"
import { changeApproval } from "./change-approval.ts"
import type { GateContext } from "./context.ts"
import { runClaimed } from "./dispatch.ts"
import type { Outcome, Run } from "./gate.ts"
import { handOver } from "./hand-over.ts"
import { outcomeOf } from "./outcome.ts"
import { newPermitMs } from "./permits.ts"

/** `run` says what the run under way comes to. Null: there is no such run for this session, or not yet. */
export async function takeOver(context: GateContext, id: string, session: Session, run: Run): Promise<Outcome | null> {
  context.inside.enter()
  try {
    return await takeFromTheGone(context, id, session, run)
  } finally {
    context.inside.leave()
  }
}

async function takeFromTheGone(context: GateContext, id: string, session: Session, run: Run): Promise<Outcome | null> {
  const found = await context.store.approval(id)
  if (found === undefined || sessionKey(found.session) !== sessionKey(session)) return null
  if (found.status !== "running") return outcomeOf(found)
  const from = found.owner
  if ((await context.store.alive(context.now())).includes(from)) return null
  const taken = await changeApproval(context, found, () => {
    const at = context.now()
    return { type: "take-over", from, owner: context.store.writer, leaseUntil: at + context.times.leaseMs, at }
  })
  if (taken.kind !== "moved") return "approval" in taken ? outcomeOf(taken.approval) : null
  return taken.approval.status === "running" ? settleHere(context, taken.approval, from, run) : null
}

async function settleHere(context: GateContext, taken: RunningApproval, from: string, run: Run): Promise<Outcome> {
  const caller = await bringCaller(context, taken, from)
  let outcome: Outcome | null = null
  try {
    outcome = await runClaimed(context, taken, taken.editedArgs ?? taken.args ?? {}, run)
    return outcome
  } finally {
    if (caller !== null) handOver(context, { approval: taken.id, caller }, outcome, {})
  }
}

/** Whoever waited at the process that is gone waits here now, and is given the outcome. One that had left is not. */
async function bringCaller(
  context: GateContext,
  { id, caller: old }: RunningApproval,
  from: string,
): Promise<string | null> {
  if (old === null || writerOf(old) !== from) return null
  const caller = callerName(context, undefined)
  context.callers.add(caller)
  const permitMs = newPermitMs
  await changeApproval(context, id, () => ({ type: "detach", caller: old, permitMs, at: context.now() }))
  await changeApproval(context, id, () => ({ type: "attach", caller, at: context.now() }))
  return caller
}
