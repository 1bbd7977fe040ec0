/**
 * The walk of one call: judge, then run, refuse or hold.
 *
 * I1. Nothing is dispatched before the record of its decision is committed.
 * I2. A judgement counts only at the epoch it was made by; otherwise the call is judged again.
 * I3. When the store cannot record, the call is refused.
 */
import { type Call, sessionKey } from "../call/call.ts"
import { mayWrite } from "../policy/access-class.ts"
import type { Decision } from "../policy/decision.ts"
import { mustBeACall } from "./check-call.ts"
import type { GateContext } from "./context.ts"
import { refusedTool } from "./denied-too-often.ts"
import type { Outcome, Run, SubmitOptions } from "./gate.ts"
import { hold } from "./hold.ts"
import { judgeCall, noteUse } from "./judge-call.ts"
import { noteSignOfLife } from "./permits.ts"
import { refusalOf, refuseCall, type Step, unrecorded, type Waiting } from "./refuse-call.ts"
import { takePermit } from "./resume.ts"
import { outcomeOfRun, perform } from "./run-call.ts"
import type { Standing } from "./standing.ts"
import { type Change, StoreError } from "./store.ts"
import { waitOn } from "./wait.ts"

const maxAttempts = 50

export function submit(context: GateContext, call: Call, run: Run, options: SubmitOptions): Promise<Outcome> {
  const { enter, leave } = context.inside
  enter()
  return begin(context, call, run, options).then(waitIfHeld(context, run, options), (error: unknown) => {
    leave()
    throw error
  })
}

/** Apart from `submit`: a call that waits then keeps neither its arguments nor its judgement in memory. */
function waitIfHeld(
  context: GateContext,
  run: Run,
  options: SubmitOptions,
): (step: Outcome | Waiting) => Outcome | Promise<Outcome> {
  return (step) => {
    if (step.kind === "waiting") return waitOn(context, step, run, options).finally(context.inside.leave)
    context.inside.leave()
    return step
  }
}

async function begin(context: GateContext, call: Call, run: Run, options: SubmitOptions): Promise<Outcome | Waiting> {
  mustBeACall(call)
  noteSignOfLife(context, sessionKey(call.session))
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const standing = await context.standings.current()
      const isLimited = standing.policy.limits.autoAllowedPerSession !== undefined
      const allowedSoFar = isLimited ? await allowedInSession(context, call) : none
      const step = await follow(context, standing, call, run, options, allowedSoFar())
      if (step !== "again") return step
      context.standings.forget()
    }
    return unrecorded(new StoreError("busy", "permissions kept changing while the call was being judged."))
  } catch (error) {
    return unrecorded(error)
  }
}

function follow(
  context: GateContext,
  standing: Standing,
  call: Call,
  run: Run,
  options: SubmitOptions,
  allowedSoFar: number,
): Promise<Step> {
  if (context.closing()) throw new StoreError("closed", "Byleave is shutting down.")
  const decision = judgeCall(context, standing, call, call.args, allowedSoFar)
  switch (decision.effect) {
    case "allow":
    case "ask": {
      const refusal = refusedTool(standing, call)
      if (refusal !== null) return refuseCall(context, standing, call, decision, refusal)
      if (decision.effect === "allow") return runAllowed(context, standing, call, decision, run)
      return hold(context, standing, call, decision, options)
    }
    case "deny":
    case "hide":
      return refuse(context, standing, call, decision, options)
  }
}

async function runAllowed(
  context: GateContext,
  standing: Standing,
  call: Call,
  decision: Decision,
  run: Run,
): Promise<Step> {
  const id = context.options.newId()
  const at = context.now()
  const isLimited = standing.policy.limits.autoAllowedPerSession !== undefined
  // Before the commit, so that many calls of one moment cannot all slip under a limit.
  const land = takeOff(context, standing, call, isLimited)
  const grant = decision.because.kind === "grant" ? decision.because.grant : null
  const change: Change = {
    at,
    records: [context.recorder.judged(id, call, { decision, standing }, at)],
    events: [],
    epoch: standing.epoch,
    ...(grant === null ? {} : { grantUses: [{ grant: grant.id, counted: grant.usesLeft !== undefined }] }),
    ...(isLimited ? { autoAllowed: call.session } : {}),
    durability: grant?.usesLeft === undefined ? "soon" : "full",
  }
  try {
    const committed = await context.store.commit(change)
    if (!committed.ok) return "again"
    noteUse(context, standing, call, true)
  } finally {
    land()
  }
  const outcome = await perform(run, call.args, { approval: null, cancelled: new Promise(() => {}) })
  context.outbox.add(context.recorder.ran(id, outcome, context.now()))
  return outcomeOfRun(outcome, null)
}

function takeOff(context: GateContext, standing: Standing, call: Call, isLimited: boolean): () => void {
  const land = context.inFlight.takeOff(call.session.principal, mayWrite(standing.facts(call.tool)))
  if (!isLimited) return land
  const isDone = context.totals.note(sessionKey(call.session))
  return () => {
    land()
    isDone()
  }
}

async function refuse(
  context: GateContext,
  standing: Standing,
  call: Call,
  decision: Decision,
  options: SubmitOptions,
): Promise<Step> {
  if (decision.because.kind === "mode") {
    const permitted = await takePermit(context, standing, call, options)
    if (permitted !== null) return permitted
  }
  return refuseCall(context, standing, call, decision, refusalOf(call, decision))
}

/** A session's total outlives this process and counts at every one; it is read only where policy limits it. */
function allowedInSession(context: GateContext, call: Call): Promise<() => number> {
  return context.totals.total(
    sessionKey(call.session),
    async () => (await context.store.session(call.session))?.autoAllowed ?? 0,
  )
}

const none = (): number => 0
