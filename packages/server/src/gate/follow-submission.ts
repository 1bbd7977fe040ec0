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
 */
import type { ResumeBody, SubmitBody, SubmitLine } from "@byleave/api"
import { type Call, type ListedTool, programPin, type Run, type RunOutcome, type ToolDefinition } from "@byleave/core"
import { programDefinition } from "../program-definition.ts"
import { type GateAnswer, type GateListener, problem } from "./gate-answer.ts"
import { callerOf, type GateIdentity, type GateRouteContext, isServedHere, ownKey } from "./gate-context.ts"
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
  return { follow: (listener) => carry(doors, who, body, listing, listener) }
}

async function carry(
  doors: GateRouteContext,
  who: GateIdentity,
  body: SubmitBody,
  listing: ToldListing | undefined,
  caller: Caller,
): Promise<void> {
  const left = Promise.withResolvers<void>()
  const forgetLeaving = caller.whenGone(left.resolve)
  const key = ownKey(who, body.submission)
  const submission = { leave: left.resolve }
  doors.submissions.set(key, submission)
  const listed = listedBy(body, listing)
  const call: Call = {
    ...callerOf(who, body.from),
    ...(body.kind === undefined ? {} : { kind: body.kind }),
    tool: { server: body.server, tool: body.tool },
    args: body.args,
    ...(body.extraParams === undefined ? {} : { extraParams: body.extraParams }),
    ...(body.droppedParams === undefined ? {} : { droppedParams: body.droppedParams }),
    ...(body.connection === undefined ? {} : { connection: body.connection }),
    ...(listed === undefined ? {} : { listed }),
  }
  const options = {
    isWanted: () => !caller.isGone(),
    until: () => left.promise,
    onHeld: (approval) => caller.say({ type: "held", approval, decidesInClient: doors.decidesInClient?.() === true }),
  } satisfies Parameters<GateRouteContext["gate"]["submit"]>[2]
  let ranByPolicy = false
  const elsewhere = runElsewhere(doors, who, body, caller)
  const run: Run = (args, context) => {
    ranByPolicy = context.approval === null
    if (isKnownOwn(doors, who, body.server)) return elsewhere(args, context)
    return refuseAnothers(doors, who, body.server).then((taken) =>
      taken === null ? elsewhere(args, context) : { kind: "failed", error: taken.detail },
    )
  }
  try {
    if (listing !== undefined) await showNewest(doors, who, body.server, listing)
    const outcome =
      body.attach === undefined
        ? await doors.gate.submit(call, run, options)
        : await doors.gate.attach(body.attach, call, run, options)
    // The outcome of a call that policy allowed is what its runner reported, so the runner need not hear it again.
    if (!ranByPolicy) caller.say({ type: "outcome", outcome })
  } finally {
    forgetLeaving()
    if (doors.submissions.get(key) === submission) doors.submissions.delete(key)
  }
}

/** The tool's definition on the program's own connection, and the program itself. */
function listedBy({ tool, definition, program }: SubmitBody, listing: ToldListing | undefined): ListedTool | undefined {
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
  if (listings.isNewest(server, listing)) return
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

/** The run of a call that another process carries out: told to run, it settles by a request of its own. `asked` null: it runs already. */
function runElsewhere(
  doors: GateRouteContext,
  who: GateIdentity,
  asked: Pick<SubmitBody, "server" | "args" | "extraParams"> | null,
  caller: Caller,
): Run {
  return (args, { approval, extraParams, cancelled, holdsUntil }) =>
    new Promise<RunOutcome>((resolve) => {
      if (caller.isGone()) {
        resolve(asked === null ? brokeOff : neverSent)
        return
      }
      if (asked !== null && isServedHere(doors, asked.server)) {
        resolve(servedHere)
        return
      }
      const id = doors.newId()
      const over = (outcome: RunOutcome): void => {
        forgetLoss()
        doors.runs.delete(id)
        resolve(outcome)
      }
      const forgetLoss = caller.whenGone(() => over(brokeOff))
      doors.runs.set(id, { token: who.token, settle: over })
      void cancelled.then(() => caller.say({ type: "cancelled" }))
      const line: SubmitLine = {
        type: "run",
        run: id,
        args: asked === null || args === asked.args ? null : args,
        approval,
        ...(asked === null || extraParams === asked.extraParams ? {} : { extraParams: extraParams ?? null }),
        ...(holdsUntil === undefined ? {} : { holdsUntil }),
      }
      caller.say(line)
    })
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
