/**
 * A call that a program elsewhere makes, and runs.
 *
 * I1. When the program is gone after it was told to run, nobody can tell what became of the call.
 * I2. A program that is gone is not told to run: then nothing ran.
 * I3. No program runs a call of a server that the service reaches itself, nor says what its tools are, whatever it told before.
 * I4. A call is judged by what its own program lists, and as that program's, whatever others of the same name have told since.
 * I5. A run is taken over in the name of its credential and of the session that it names, and of no other.
 * I6. No program runs a call of a server whose name is another credential's, nor goes on with one whose name has passed on.
 * I7. A run that is taken over has begun: when its program is gone, however early, nobody can tell what became of it.
 * I8. While a call waits or runs, nothing of its body is kept here; until then it counts among what its credential has open.
 */
import type { ResumeBody, SubmitBody, SubmitLine } from "@byleave/api"
import {
  type Approval,
  type Call,
  type JsonObject,
  type ListedTool,
  type Outcome,
  programPin,
  type Run,
  type RunOutcome,
  type SubmitOptions,
  type ToolDefinition,
} from "@byleave/core"
import { programDefinition } from "../program-definition.ts"
import { type GateAnswer, type GateListener, problem } from "./gate-answer.ts"
import { callerOf, type GateIdentity, type GateRouteContext, isServedHere, ownKey } from "./gate-context.ts"
import { withOwnTexts } from "./kept-body.ts"
import { isKnownOwn, makeKnown, makeProgramKnown, ownName, refuseAnothers } from "./make-known.ts"
import type { ToldListing } from "./told-listings.ts"

type Caller = Omit<GateListener, "say"> & { readonly say: (line: SubmitLine) => void }

/** Submits a call for a program elsewhere, and tells it line by line what becomes of it. */
export async function followSubmission(
  doors: GateRouteContext,
  who: GateIdentity,
  body: SubmitBody,
): Promise<GateAnswer> {
  if (isServedHere(doors, body.server)) return problem("not-yours")
  if (!isKnownOwn(doors, who, body.server)) {
    const taken = await ownName(doors, who, body.server)
    if (taken !== null) return problem(taken.code, taken.detail)
  }
  const wasTold = doors.told.has(ownKey(who, body.server))
  const listing = wasTold ? doors.listings.find(body.server, body.told) : undefined
  if (listing === undefined && body.told.length > 0) {
    return { follow: async ({ say }) => say({ type: "tell", instance: doors.instance } satisfies SubmitLine) }
  }
  const refused = listing === undefined ? await makeProgramKnown(doors, who, body.server, body.program) : null
  if (refused !== null) return problem(refused.code, refused.detail)
  return { follow: async (listener) => carry(doors, who, body, listing, listener) }
}

/** Whether its runner reported the outcome: then it need not hear it again. */
type Ran = { byPolicy: boolean }

/** Follows a call to its end. No function here that lasts as long keeps what the program sent. */
function carry(
  doors: GateRouteContext,
  who: GateIdentity,
  sent: SubmitBody,
  listing: ToldListing | undefined,
  caller: Caller,
): Promise<void> {
  const body = caller.bytes > 0 ? withOwnNames(sent) : sent
  const left = Promise.withResolvers<void>()
  const stopWaiting = waitToLeave(doors, ownKey(who, body.submission), left.resolve, caller)
  const ran: Ran = { byPolicy: false }
  const definitions = { release: (): void => {} }
  const listed = listedBy(body, listing)
  const how: CarriedHow = {
    run: runOf(doors, who, body.server, caller, ran),
    options: {
      isWanted: () => !caller.isGone(),
      until: () => left.promise,
      onHeld: heldBy(doors, who, listed, { caller, leave: left.resolve, definitions }),
      ...(body.leavesAnswered === undefined ? {} : { leavesAnswered: body.leavesAnswered }),
    },
  }
  return submitted(doors, who, callOf(who, body, listed), { body, listing }, how)
    .then((outcome) => {
      if (!ran.byPolicy) caller.say({ type: "outcome", outcome })
    })
    .finally(() => {
      definitions.release()
      stopWaiting()
    })
}

type CarriedHow = { readonly run: Run; readonly options: SubmitOptions }

async function submitted(
  doors: GateRouteContext,
  who: GateIdentity,
  call: Call,
  { body, listing }: { readonly body: SubmitBody; readonly listing: ToldListing | undefined },
  { run, options }: CarriedHow,
): Promise<Outcome | null> {
  if (listing !== undefined && !doors.listings.isNewest(body.server, listing))
    await showNewest(doors, who, body.server, listing)
  // Not awaited here, where the call would be kept meanwhile.
  return body.attach === undefined
    ? doors.gate.submit(call, run, options)
    : doors.gate.attach(body.attach, call, run, options)
}

function callOf(who: GateIdentity, body: SubmitBody, listed: ListedTool | undefined): Call {
  return {
    ...callerOf(who, body.from),
    ...(body.kind === undefined ? {} : { kind: body.kind }),
    tool: { server: body.server, tool: body.tool },
    args: body.args,
    ...(body.extraParams === undefined ? {} : { extraParams: body.extraParams }),
    ...(body.droppedParams === undefined ? {} : { droppedParams: body.droppedParams }),
    ...(body.connection === undefined ? {} : { connection: body.connection }),
    ...(listed === undefined ? {} : { listed }),
  }
}

/** The parts that outlive the body, in texts of their own. */
function withOwnNames(body: SubmitBody): SubmitBody {
  const { args, extraParams, ...small } = body
  return { ...(withOwnTexts(small as JsonObject) as typeof small), args, ...(extraParams && { extraParams }) }
}

/** Lets the caller leave by its word or by being gone, until the returned function is called. */
function waitToLeave(doors: GateRouteContext, key: string, leave: () => void, caller: Caller): () => void {
  const forgetLeaving = caller.whenGone(leave)
  const submission = { leave }
  doors.submissions.set(key, submission)
  return () => {
    forgetLeaving()
    if (doors.submissions.get(key) === submission) doors.submissions.delete(key)
  }
}

type HeldFor = { readonly caller: Caller; readonly leave: () => void; readonly definitions: { release: () => void } }

/** Once it is held, the store has what was asked; of the definition that this process keeps, its credential may have so much. */
function heldBy(
  doors: GateRouteContext,
  who: GateIdentity,
  listed: ListedTool | undefined,
  { caller, leave, definitions }: HeldFor,
): (approval: Approval) => void {
  return (approval) => {
    caller.release()
    const release = listed === undefined ? definitions.release : doors.heldDefinitions.hold(who, listed)
    caller.say({ type: "held", approval, decidesInClient: doors.decidesInClient?.() === true })
    // It waits on without its caller, which is given a ticket.
    if (release === null) leave()
    else definitions.release = release
  }
}

function runOf(doors: GateRouteContext, who: GateIdentity, server: string, caller: Caller, ran: Ran): Run {
  const elsewhere = runElsewhere(doors, who, server, caller)
  return (args, context) => {
    ran.byPolicy = context.approval === null
    if (isKnownOwn(doors, who, server)) return elsewhere(args, context)
    return unlessAnothers(doors, who, server, () => elsewhere(args, context))
  }
}

async function unlessAnothers(
  doors: GateRouteContext,
  who: GateIdentity,
  server: string,
  run: () => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const taken = await refuseAnothers(doors, who, server)
  return taken === null ? run() : { kind: "failed", error: taken.detail }
}

/** The tool's definition on the program's own connection, and the program itself. */
export function listedBy(
  { tool, definition, program }: Pick<SubmitBody, "tool" | "definition" | "program">,
  listing: ToldListing | undefined,
): ListedTool | undefined {
  const told = (name: string): ToolDefinition | undefined => listing?.tools.find((each) => each.name === name)
  const own = definition ?? told(tool)
  const ownProgram = told(programPin) ?? (program === undefined ? undefined : programDefinition(program))
  if (own === undefined && ownProgram === undefined) return undefined
  return {
    ...(own === undefined ? {} : { definition: own }),
    ...(ownProgram === undefined ? {} : { program: ownProgram }),
  }
}

/** People are shown what the program that called last lists: where it waits to be accepted, that is what they can accept. */
async function showNewest(
  doors: GateRouteContext,
  who: GateIdentity,
  server: string,
  listing: ToldListing,
): Promise<void> {
  const { gate, listings } = doors
  const { tools } = listing
  // At the pace of a telling. The call is judged by its own listing also where people are not shown it.
  await makeKnown(doors, who, {
    ...{ server, tools },
    changes: () => listings.changes(server, listing),
    makeKnown: async (mayTell) => {
      if (listings.isNewest(server, listing)) return
      await gate.seeTools(server, tools, listings.elsewhere(server, listing), mayTell)
      listings.add(server, who.token, listing)
    },
  })
}

/** Takes over a run that a program began for a process of the service which is gone. It is told under which name to settle it here. */
export function followRun(doors: GateRouteContext, who: GateIdentity, { from, approval }: ResumeBody): GateAnswer {
  return {
    follow: async (listener) => {
      const run = runElsewhere(doors, who, null, listener)
      const outcome = await doors.gate.takeOver(approval, callerOf(who, from).session, run)
      const line: SubmitLine = { type: "outcome", outcome }
      listener.say(line)
    },
  }
}

/**
 * The run of a call that another process carries out: told to run, it settles by a request of its own. `server` null: it runs already. What policy
 * allows runs as it was sent, so that nothing of it need be kept to compare with.
 */
function runElsewhere(doors: GateRouteContext, who: GateIdentity, server: string | null, caller: Caller): Run {
  return (args, { approval, extraParams, cancelled, holdsUntil, grant }) => {
    if (caller.isGone()) return Promise.resolve(server === null ? brokeOff : neverSent)
    if (server !== null && isServedHere(doors, server)) return Promise.resolve(servedHere)
    const id = doors.newId()
    const outcome = reported(doors, who, id, caller, cancelled)
    if (approval !== null) letAsk(doors, ownKey(who, approval), outcome)
    const isAsSent = server === null || approval === null
    const line: SubmitLine = {
      type: "run",
      run: id,
      args: isAsSent ? null : args,
      approval,
      ...(isAsSent ? {} : { extraParams: extraParams ?? null }),
      ...(holdsUntil === undefined ? {} : { holdsUntil }),
      ...(grant === undefined ? {} : { grant }),
    }
    caller.say(line)
    caller.release()
    return outcome
  }
}

/** What the program reports under this id, or that it is gone. */
function reported(
  doors: GateRouteContext,
  { token }: GateIdentity,
  id: string,
  caller: Caller,
  cancelled: Promise<void>,
): Promise<RunOutcome> {
  void cancelled.then(() => caller.say({ type: "cancelled" }))
  return new Promise((resolve) => {
    const over = (outcome: RunOutcome): void => {
      forgetLoss()
      doors.runs.delete(id)
      resolve(outcome)
    }
    const forgetLoss = caller.whenGone(() => over(brokeOff))
    doors.runs.set(id, { token, settle: over })
  })
}

/** More than a program has reason to ask about one call; judging one can take long. */
const mostAsksFirst = 64

/** Until its outcome is there, its program may ask whether it may still be sent before its credential's other work. */
function letAsk({ runningApproved }: GateRouteContext, key: string, outcome: Promise<RunOutcome>): void {
  runningApproved.set(key, { asksLeft: mostAsksFirst, isAsked: false })
  void outcome.then(() => runningApproved.delete(key))
}

const brokeOff: RunOutcome = {
  kind: "unknown",
  detail: "The program that ran this call disconnected before reporting the outcome.",
}
// Of these nothing was sent, so nothing ran.
const neverSent: RunOutcome = {
  kind: "failed",
  error: "The program that made this call disconnected before it could run.",
}
const servedHere: RunOutcome = {
  kind: "failed",
  error:
    "The service reaches a server of this name itself by now. Nothing was sent. Call that one, or give yours another name.",
}
