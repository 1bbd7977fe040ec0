/**
 * A run that outlives the process which had it recorded: whoever carries it out comes to another process, and settles it there.
 *
 * I1. Only what another process was running is taken over, and only once that is gone.
 * I2. It is taken over for the session whose call it is, and does not exist for any other.
 * I3. Nothing runs by it: what was not running stays as it is.
 * I4. Of several who come for one run, one takes it over.
 * I5. Who comes with a run that is settled is told what the record says of it, and changes nothing.
 * I6. Who waited for it at the process that is gone has had the outcome; who had left before is given it on coming back.
 * I7. A cancel reaches the run, whenever it was asked for.
 */
import type { RunningApproval } from "../../approval/approval.ts"
import { type Session, sessionKey } from "../../call/call.ts"
import type { GateContext } from "../context.ts"
import type { Outcome, Run } from "../gate.ts"
import { changeApproval } from "../reviewers/change-approval.ts"
import { callerName, writerOf } from "./caller-name.ts"
import { runClaimed } from "./dispatch.ts"
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
  if (!(await isGone(context, from))) return null
  const taken = await changeApproval(context, found, () => {
    const at = context.now()
    return { type: "take-over", from, owner: context.store.writer, leaseUntil: at + context.times.leaseMs, at }
  })
  if (taken.kind !== "moved") return "approval" in taken ? outcomeOf(taken.approval) : null
  return taken.approval.status === "running" ? settleHere(context, taken.approval, from, run) : null
}

/** This process is not, however long it slept. */
async function isGone({ store, now }: GateContext, owner: string): Promise<boolean> {
  return owner !== store.writer && !(await store.alive(now())).includes(owner)
}

async function settleHere(context: GateContext, taken: RunningApproval, from: string, run: Run): Promise<Outcome> {
  const { caller, approval } = await bringCaller(context, taken, from)
  let outcome: Outcome | null = null
  try {
    outcome = await runClaimed(context, approval, approval.editedArgs ?? approval.args ?? {}, run)
    return outcome
  } finally {
    if (caller !== null) handOver(context, { approval: approval.id, caller }, outcome, {})
  }
}

type Brought = { readonly caller: string | null; readonly approval: RunningApproval }

/** Also gives the approval as it is by then: somebody may have asked for a cancel meanwhile. */
async function bringCaller(context: GateContext, approval: RunningApproval, from: string): Promise<Brought> {
  const { id, caller: old } = approval
  if (old === null || writerOf(old) !== from) return { caller: null, approval }
  const caller = callerName(context, undefined)
  context.callers.add(caller)
  const permitMs = newPermitMs
  await changeApproval(context, id, () => ({ type: "detach", caller: old, permitMs, at: context.now() }))
  const attached = await changeApproval(context, id, () => ({ type: "attach", caller, at: context.now() }))
  const now = "approval" in attached ? attached.approval : approval
  return { caller, approval: now.status === "running" ? now : approval }
}
