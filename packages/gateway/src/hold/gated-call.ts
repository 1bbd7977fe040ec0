/**
 * The ladder a call goes up when policy has a word in it: it runs at once, or is refused; held, it becomes a task, or is kept open in legs
 * (modern) or up to the client's budget (legacy), and ends with a ticket when nobody has answered by then.
 *
 * I1. A state that is not of this very call ends it; it is neither run nor held.
 * I2. A run that was cut off is unknown; only one of which nothing was sent, or which the server refused, has failed.
 * I3. A task is kept before its caller hears of it.
 * I4. What a person approved runs to its end: no question or task of its server is passed on as if it were the result.
 * I5. The state that a server gave is part of what is asked: it is bound and kept with the approval, and what runs is what was approved.
 * I6. What is wrong with a request itself is told only of what policy does not refuse: that is refused and recorded as any call of it, so that nothing hidden
 *     shows itself by it.
 * I7. A call that was withdrawn before it was sent is not sent. One that becomes a task is withdrawn with its request until its caller was told of the task.
 *     For a client that is gone for good nothing is sent, tasks included.
 * I8. Once a call is held, nothing of what was sent with it stays in memory: what runs comes from the store.
 */
import {
  type Approval,
  type Call,
  type Outcome,
  outcomeOf,
  type Run,
  type RunOutcome,
  type SubmitOptions,
} from "@byleave/core"
import { unsent } from "../upstream/link.ts"
import { type Exchange, isWanted, letGo } from "../wire/exchange.ts"
import type { Reply } from "../wire/message.ts"
import { mayGoOn } from "../wire/methods/methods.ts"
import { replyOfOutcome, runOutcomeOf } from "../wire/outcome-reply.ts"
import { isReceived, optionsFor, received } from "./caller-options.ts"
import type { HoldContext } from "./context.ts"
import { createEarlyReply, type EarlyReply } from "./early-reply.ts"
import { keepTask, leaveTask, taskRun } from "./held-task.ts"
import { createHolding, type Holding } from "./holding.ts"
import { extraParamsWith, type ReadState, readState, sealHeld } from "./request-state.ts"
import { type ApprovedSend, outcomeOfRun, runApproved, type Sending, withoutSent } from "./run-approved.ts"

/** A request that policy has a word in. */
export type Gated = ApprovedSend & {
  readonly exchange: Exchange
  /** Whether being held makes it a task: its client can be given one, and it is a tool's. */
  readonly canBeTask: boolean
  /** The problem with the request itself, so that it may be refused, and nothing else. */
  readonly wrong?: Reply | undefined
}

const foreignState: Reply = {
  kind: "error",
  error: {
    code: -32602,
    message: "Invalid requestState: it is not the one given for this call, or it is too old. Call again without it.",
  },
}

/** A request while its caller waits. The members that hold what was sent are given up once the call is held. */
type Waiting = ApprovedSend & {
  readonly exchange: Exchange
  call: Call
  state: Known
  /** Whether the call is as its client sent it, without answers from an earlier try. */
  readonly asSent: boolean
  /** The state that its client is to come back with, once the call is held. */
  requestState: string | null
}

// None of these functions waits itself: that would keep the call in memory.
export function answerGated(context: HoldContext, asked: Gated): Promise<Reply> {
  const { exchange, wrong } = asked
  const state = stateOf(context, asked)
  if (wrong !== undefined) return refusalOr(context, asked, wrong)
  if (state.kind === "foreign") return refusalOr(context, asked, foreignState)
  const gated = waitingOf(asked, state)
  const holding = createHolding(context, exchange)
  if (state.kind === "fresh" && asked.canBeTask) return submitAsTask(context, gated, holding)
  if (state.kind === "fresh" && wishesTask(gated)) return submitWishingTask(context, gated, holding)
  return outcomeFor(context, gated, holding).then(
    (outcome) => {
      holding.end()
      return replyTo(context, gated, outcome)
    },
    (error: unknown) => {
      holding.end()
      throw error
    },
  )
}

function outcomeFor(context: HoldContext, gated: Waiting, holding: Holding): Promise<Outcome> {
  const run = runFor(context, gated, holding)
  if (gated.state.kind === "held") return comeBack(context, gated, gated.state, run, holding)
  const onHeld = (approval: Approval): void => forgetSent(context, gated, approval.id)
  return context.gate.submit(gated.call, run, optionsFor(context, gated.exchange, holding, onHeld))
}

function letGoOnceHeld(context: HoldContext, gated: Waiting, options: SubmitOptions): SubmitOptions {
  return {
    ...options,
    onHeld: (approval) => {
      options.onHeld?.(approval)
      forgetSent(context, gated, approval.id)
    },
  }
}

/** The policy's refusal, or what is wrong with the request. */
async function refusalOr(context: HoldContext, { call, exchange }: Gated, wrong: Reply): Promise<Reply> {
  const target = { server: call.tool.server, kind: call.kind ?? "tool", name: call.tool.tool }
  const { effect, because } = await context.gate.judge(target, call.args, call)
  // A mode refuses what a person would decide on: that is listed, and one who approved it before waits for the right request.
  if ((effect !== "hide" && effect !== "deny") || because.kind === "mode") return wrong
  const outcome = await context.gate.submit(call, async () => runOutcomeOf(wrong), {
    isWanted: () => isWanted(exchange),
    // Should policy have changed since, nobody waits for a person.
    until: async () => {},
  })
  return replyOfOutcome(outcome, { call, era: exchange.caller.era, inbox: context.inbox() })
}

/** The call is in the store. */
function forgetSent(context: HoldContext, gated: Waiting, approval: string): void {
  gated.requestState = sealedFor(context, gated, approval)
  gated.call = withoutSent(gated.call)
  gated.state = { ...gated.state, continuation: {} }
  letGo(gated.exchange)
}

/** Null: its client is not to come back. */
function sealedFor(context: HoldContext, { exchange, state, call }: Waiting, approval: string): string | null {
  const leg = state.kind === "held" ? state.leg + 1 : 1
  if (!hasLegs(exchange) || leg > context.times.legs) return null
  return sealHeld(context.sealer, call, { approval, leg, continuation: state.continuation })
}

/** Approved in the moment its client left: nothing was sent, so nothing ran. */
const nobodyThere: RunOutcome = { kind: "failed", error: "The client of this call was gone before it could run." }

/** As `nobodyThere`, by the words of a call that is withdrawn while it waits to be sent. Null: it is to run. */
function notSent(gated: Waiting, holding: Holding): Promise<RunOutcome> | null {
  if (gated.exchange.isGone?.() === true) return Promise.resolve(nobodyThere)
  return holding.isWithdrawn() ? outcomeOfRun(gated, Promise.reject(unsent())) : null
}

/** Once its client was told of a task, the end of its request withdraws nothing; a client that is gone for good does not come back for the task either. */
function goneOrWithdrawn({ isGone }: Exchange, { isWithdrawn }: Holding): () => boolean {
  return () => isGone?.() === true || isWithdrawn()
}

type Known = Exclude<ReadState, { kind: "foreign" }>

function stateOf(context: HoldContext, { call, exchange }: Gated): ReadState {
  if (!hasLegs(exchange)) return { kind: "fresh", continuation: {} }
  return readState(context.sealer, call, exchange.ask.params ?? {})
}

/** Whether it may be answered with `input_required`, and its client comes back with a state. */
function hasLegs({ caller, ask }: Exchange): boolean {
  return caller.era === "modern" && mayGoOn(ask.method)
}

/** Answers to a server, and what it gave to know them by, are part of what is asked: they are bound, shown and sent with the call. */
function waitingOf({ call: sent, send, exchange }: Gated, state: Known): Waiting {
  const extraParams = extraParamsWith(sent.extraParams, state.continuation)
  const asSent = extraParams === undefined || extraParams === sent.extraParams
  const call = asSent ? sent : { ...sent, extraParams }
  return { call, send, exchange, state, asSent, requestState: null }
}

function wishesTask({ call: { extraParams }, exchange }: Waiting): boolean {
  return extraParams !== undefined && exchange.caller.era === "legacy" && Object.hasOwn(extraParams, "task")
}

/** A legacy server may make a task of it: its client gets that when there is one, and what a person approved goes on to its end. */
function submitWishingTask(context: HoldContext, gated: Waiting, holding: Holding): Promise<Reply> {
  const { exchange } = gated
  const early = createEarlyReply(exchange, holding)
  const options = letGoOnceHeld(context, gated, {
    ...optionsFor(context, exchange, holding),
    received: early.received,
  })
  const submitted = context.gate
    .submit(gated.call, runFor(context, gated, holding, early.give), options)
    .finally(holding.end)
  return Promise.race([submitted.then((outcome) => replyTo(context, gated, outcome)), early.given])
}

function runFor(context: HoldContext, gated: Waiting, holding: Holding, onTask?: EarlyReply["give"]): Run {
  const { exchange } = gated
  return (args, running) => {
    const { extraParams, holdsUntil, grant } = running
    if (running.approval === null) {
      const passesOn = exchange.caller.era === "modern"
      const { withdrawn: signal, isGone } = exchange
      const { call } = gated
      const asSent = gated.asSent && args === call.args && extraParams === call.extraParams
      const present = { audience: exchange, signal, isGone, approval: null }
      const sending: Sending = { ...present, holdsUntil, grant, extraParams, asSent, passesOn, once: false }
      return outcomeOfRun(gated, gated.send(args, sending))
    }
    const left = notSent(gated, holding)
    if (left !== null) return left
    holding.runs(running.approval)
    return runApproved(context, gated, {
      approval: running.approval,
      cancelled: running.cancelled,
      present: exchange,
      args,
      extraParams,
      isGone: goneOrWithdrawn(exchange, holding),
      ...(onTask === undefined ? {} : { onTask }),
    })
  }
}

/** The client comes back to the call it waits for; a run under way speaks to this exchange from now on. */
function comeBack(
  context: HoldContext,
  gated: Waiting,
  { approval }: Extract<Known, { kind: "held" }>,
  run: Run,
  holding: Holding,
): Promise<Outcome> {
  const { exchange } = gated
  context.audiences.get(approval)?.moveTo(exchange)
  holding.begin({ id: approval, tool: gated.call.tool })
  const options = letGoOnceHeld(context, gated, {
    isWanted: () => isWanted(exchange),
    until: holding.until,
    received: () => isReceived(exchange),
  })
  return context.gate
    .attach(approval, gated.call, run, options)
    .then((outcome) => outcome ?? outcomeUnattached(context, approval, exchange.caller.principal.id))
}

async function outcomeUnattached(context: HoldContext, id: string, principal: string): Promise<Outcome> {
  const approval = await context.gate.approval(id)
  if (approval === undefined || approval.principal.id !== principal) return gone
  return outcomeOf(approval, true) ?? { kind: "ticket", approval: id, expiresAt: null }
}

const gone: Outcome = {
  kind: "refusal",
  refusal: { by: "timeout", code: "expired", reason: "What this call waited for is no longer known." },
  approval: null,
}

function replyTo(context: HoldContext, gated: Waiting, outcome: Outcome): Reply {
  const { call, exchange } = gated
  if (outcome.kind === "ticket") {
    context.audiences.get(outcome.approval)?.moveTo(null)
    const requestState = gated.requestState ?? sealedFor(context, gated, outcome.approval)
    if (requestState !== null) return { kind: "result", result: { resultType: "input_required", requestState } }
  }
  return replyOfOutcome(outcome, { call, era: exchange.caller.era, inbox: context.inbox() })
}

/** Held, it is a task from then on: its caller gets that at once, and the wait goes on without it. */
function submitAsTask(context: HoldContext, gated: Waiting, holding: Holding): Promise<Reply> {
  const { exchange } = gated
  const becomesTask = Promise.withResolvers<Reply>()
  let task: string | null = null
  let isTold = false
  const direct = runFor(context, gated, holding)
  const isGone = goneOrWithdrawn(exchange, holding)
  const run: Run = (args, running) => {
    if (running.approval === null || task === null || notSent(gated, holding) !== null) return direct(args, running)
    return taskRun(context, gated, isGone)(args, running)
  }
  const onHeld = (approval: Approval): void => {
    if (approval.status === "pending" && exchange.isGone?.() === true) {
      holding.begin(approval)
      return
    }
    // Its caller does not know of a task yet: what it can withdraw until then is its request.
    holding.follow(approval.id)
    if (approval.status !== "pending") return
    task = approval.id
    keepTask(context, exchange, approval).then(becomesTask.resolve, (error: unknown) => {
      context.log(`The task of ${approval.id} could not be kept, so its caller waits: ${String(error)}`)
      task = null
      holding.begin(approval)
    })
  }
  const options = letGoOnceHeld(context, gated, {
    isWanted: () => isTold || isWanted(exchange),
    until: holding.until,
    onHeld,
    // A task's result is kept for who asks for it.
    received: () => (task === null ? isReceived(exchange) : received),
  })
  const submitted = context.gate.submit(gated.call, run, options).finally(() => {
    holding.end()
    if (task !== null) leaveTask(context, task)
  })
  const replied = submitted.then((outcome) => replyTo(context, gated, outcome))
  // Its reply is given: the exchange's end is no leaving any more.
  void becomesTask.promise.then(() => {
    isTold = true
    holding.end()
  })
  return Promise.race([replied, becomesTask.promise])
}
