/**
 * The walk of one call: judge, then run, refuse or hold.
 *
 * I1. Nothing is dispatched before the record of its decision is committed.
 * I2. A judgement counts only at the epoch it was made by; otherwise the call is judged again.
 * I3. When the store cannot record, the call is refused.
 * I4. What the store counts as beyond a limit does not run; the call is judged again by those counts.
 * I5. A call whose credential was revoked neither runs nor waits.
 * I6. Nothing of a call is kept here while it runs or waits: its arguments may have megabytes, and a program may take as long as it likes.
 */
import type { RunOutcome } from "../../approval/approval-event.ts"
import type { CallUse } from "../../approval/usage/usage.ts"
import { type Call, type EpochMs, type Principal, sessionKey } from "../../call/call.ts"
import type { Decision, Usage } from "../../policy/decide/decision.ts"
import { idleUsage } from "../../policy/decide/exceeded-limit.ts"
import type { Remembered } from "../../policy/rules/remembered.ts"
import type { GateContext } from "../context.ts"
import type { Outcome, Run, SubmitOptions } from "../gate.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { recordJudgement } from "../record-judgement.ts"
import { type Change, type JournalWrite, StoreError } from "../store.ts"
import { mustBeACall } from "./check-call.ts"
import { hold } from "./hold.ts"
import { judgeCall, useOf } from "./judge-call.ts"
import { judgeInTurn } from "./judge-in-turn.ts"
import { noteSignOfLife } from "./permits.ts"
import { leftUnjudged, refusalOf, refuseCall, type Step, unrecorded, type WaitingCount } from "./refuse-call.ts"
import { refusedNow } from "./refused-now.ts"
import { takePermit } from "./resume.ts"
import { outcomeOfRun, perform } from "./run-call.ts"
import { waitOn } from "./wait.ts"

const maxAttempts = 50

export function submit(context: GateContext, call: Call, run: Run, options: SubmitOptions): Promise<Outcome> {
  const { enter, leave } = context.inside
  let since: EpochMs
  try {
    since = noteCall(context, call)
  } catch (error) {
    return Promise.reject(error)
  }
  enter()
  return begin(context, { call, since }, run, options).then(waitForEnd(context, run, options), (error: unknown) => {
    leave()
    return unrecorded(error)
  })
}

function noteCall(context: GateContext, call: Call): EpochMs {
  mustBeACall(call)
  context.options.onCall?.(call)
  noteSignOfLife(context, sessionKey(call.session))
  return context.now()
}

/** Apart from `submit`: a call that runs or waits then keeps neither its arguments nor its judgement in memory. */
function waitForEnd(
  context: GateContext,
  run: Run,
  options: SubmitOptions,
): (step: Outcome | RunningCount | WaitingCount) => Outcome | Promise<Outcome> {
  const { leave } = context.inside
  return (step) => {
    if (step.kind === "waiting") return waitOn(context, step, run, options).finally(leave)
    if (step.kind === "running") return leaveOnceOver(step.outcome, leave)
    leave()
    return step
  }
}

/** `finally` takes three promises more, and most calls come this way. */
function leaveOnceOver(outcome: Promise<Outcome>, leave: () => void): Promise<Outcome> {
  return outcome.then(
    (given) => {
      leave()
      return given
    },
    (error: unknown) => {
      leave()
      throw error
    },
  )
}

function begin(
  context: GateContext,
  came: CallThatCame,
  run: Run,
  options: SubmitOptions,
): Promise<Outcome | RunningCount | WaitingCount> {
  const { isWanted } = options
  return judged(context, { call: came.call, isWanted }, (by) => follow(context, by, came, run, options))
}

type CallThatCame = { readonly call: Call; readonly since: EpochMs }

/** A judgement, and what it was made by. */
export type CallJudgement = { readonly snapshot: PolicySnapshot; readonly decision: Decision; readonly usage: Usage }

type Asked = Pick<SubmitOptions, "isWanted"> & { readonly call: Call; readonly starter?: string }
type Follow<T> = (by: CallJudgement) => Promise<T | "again" | BeyondLimit>

/** Judges and carries out the decision, again while the basis of the judgement changes in between. Rejects if the store cannot record it. */
export async function judged<T extends { readonly kind: string }>(
  context: GateContext,
  { call, isWanted, starter }: Asked,
  follow: Follow<T>,
): Promise<T | Outcome> {
  const caller = starter === undefined ? call : { ...call, starter }
  let usage = idleUsage
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const counted = usage
    const judging = judgeInTurn<PolicySnapshot, CallJudgement | null>(context, caller, {
      prepare: context.snapshots.current,
      judge: (snapshot) => {
        if (context.closing()) throw new StoreError("closed", "Byleave is shutting down.")
        return { snapshot, decision: judgeCall(context, snapshot, caller, call.args, counted), usage: counted }
      },
      leaving: isWanted && { isWanted, left: null },
    })
    const by = judging instanceof Promise ? await judging : judging
    if (by === null) return leftUnjudged(call)
    const step = await follow(by)
    if (step === "again") context.snapshots.forget()
    else if (isBeyond(step)) usage = step.usage
    else return step
  }
  throw new StoreError("busy", "permissions kept changing while the call was being judged.")
}

/** As much ran unasked already as may. */
export type BeyondLimit = { readonly kind: "beyond"; readonly usage: Usage }

function isBeyond<T extends { readonly kind: string }>(step: T | BeyondLimit): step is BeyondLimit {
  return step.kind === "beyond"
}

function follow(
  context: GateContext,
  { snapshot, decision }: CallJudgement,
  { call, since }: CallThatCame,
  run: Run,
  options: SubmitOptions,
): Promise<Step | RunningCount | BeyondLimit> {
  switch (decision.effect) {
    case "allow":
    case "ask": {
      const refusal = refusedNow(snapshot, call, { asks: decision.effect === "ask", principal: call.principal, since })
      if (refusal !== null) return refuseCall(context, snapshot, call, decision, refusal)
      if (decision.effect === "allow") return runAllowed(context, snapshot, call, decision, run)
      return hold(context, snapshot, call, decision, options)
    }
    case "deny":
    case "hide":
      return refuse(context, snapshot, call, decision, options)
  }
}

const begunBefore: Outcome = {
  kind: "unknown",
  detail: "A process that has stopped began this call, and did not report what came of it.",
  approval: null,
}

/** A call that policy lets run, and that runs. */
export type RunningCount = { readonly kind: "running"; readonly outcome: Promise<Outcome> }

/** `begun`: the line of an agent run's journal by which it never begins the call twice. */
export async function runAllowed(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  decision: Decision,
  run: Run,
  begun?: JournalWrite,
): Promise<Outcome | RunningCount | BeyondLimit | "again"> {
  const id = context.options.newId()
  const at = context.now()
  const use = useOf(snapshot, call, "allowed")
  const grant = decision.because.kind === "grant" ? decision.because.grant : null
  const change: Change = {
    at,
    records: [context.recorder.judged(id, call, { decision, snapshot }, at)],
    events: [],
    epoch: snapshot.epoch,
    durability: grant?.usesLeft === undefined && begun === undefined ? "soon" : "full",
  }
  const isPlain = grant === null && use === undefined && begun === undefined
  const committed = await recordJudgement(context, isPlain ? change : { ...change, ...counting(grant, use, begun) })
  if (!committed.ok) {
    if (committed.conflict === "run" || committed.conflict === "journal") return begunBefore
    return committed.conflict === "use" ? { kind: "beyond", usage: committed.usage } : "again"
  }
  const ran = perform(run, call.args, {
    approval: null,
    extraParams: call.extraParams,
    cancelled: new Promise(() => {}),
    holdsUntil: endOf(snapshot, call, decision),
    grant: grant?.usesLeft === undefined ? undefined : grant.id,
  })
  return { kind: "running", outcome: recordedOnceOver(context, id, call.principal, ran) }
}

/** What is counted with the call, and what says that it has begun. */
function counting(
  grant: Pick<Remembered, "id" | "usesLeft"> | null,
  use: CallUse | undefined,
  begun: JournalWrite | undefined,
): Pick<Change, "grantUses" | "use" | "journal"> {
  return {
    ...(grant === null ? {} : { grantUses: [{ grant: grant.id, counted: grant.usesLeft !== undefined }] }),
    ...(use === undefined ? {} : { use }),
    ...(begun === undefined ? {} : { journal: begun }),
  }
}

function recordedOnceOver(
  context: GateContext,
  id: string,
  principal: Principal,
  ran: Promise<RunOutcome>,
): Promise<Outcome> {
  return ran.then((outcome) => {
    context.outbox.add(context.recorder.ran(id, { principal }, outcome, context.now()))
    return outcomeOfRun(outcome, null)
  })
}

function endOf(snapshot: PolicySnapshot, call: Call, { because }: Decision): EpochMs | undefined {
  if (because.kind === "grant") return because.grant.until
  return because.kind === "mode" ? (snapshot.session(sessionKey(call.session))?.modeUntil ?? undefined) : undefined
}

async function refuse(
  context: GateContext,
  snapshot: PolicySnapshot,
  call: Call,
  decision: Decision,
  options: SubmitOptions,
): Promise<Step> {
  if (decision.because.kind === "mode") {
    const permitted = await takePermit(context, snapshot, call, options)
    if (permitted !== null) return permitted
  }
  return refuseCall(context, snapshot, call, decision, refusalOf(call, decision))
}
