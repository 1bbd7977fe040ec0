/**
 * A call that a program elsewhere makes, and runs.
 *
 * I1. When the program is gone after it was told to run, nobody can tell what became of the call.
 * I2. A program that is gone is not told to run: then nothing ran.
 * I3. No program runs a call of a server that the service reaches itself.
 * I4. A call is judged by the tools that its own program lists: where others were told since, it tells them again first.
 * I5. A run is taken over in the name of its credential and of the session that it names, and of no other.
 * I6. A run that is taken over has begun: when its program is gone, however early, nobody can tell what became of it.
 */
import type { ResumeBody, SubmitBody, SubmitLine } from "@byleave/api"
import type { Call, JsonObject, Run, RunOutcome } from "@byleave/core"
import { type GateAnswer, type Listener, problem } from "./gate-answer.ts"
import { callerOf, type GateDoors, type GateIdentity, ownKey } from "./gate-doors.ts"

type Caller = Omit<Listener, "say"> & { readonly say: (line: SubmitLine) => void }

/** Submits a call for a program elsewhere, and tells it line by line what becomes of it. */
export function followSubmission(doors: GateDoors, who: GateIdentity, body: SubmitBody): GateAnswer {
  const wasTold = doors.told.has(ownKey(who, body.server))
  if (!wasTold && doors.isServed?.(body.server) === true) return problem("not-yours")
  // Two programs may call a server the same and list other tools: each is judged by its own.
  const isKnown = wasTold && body.told.includes(doors.listings.get(body.server) ?? "")
  if (!isKnown && body.told.length > 0) {
    return { follow: async ({ say }) => say({ type: "tell", instance: doors.instance } satisfies SubmitLine) }
  }
  return { follow: (listener) => carry(doors, who, body, listener) }
}

async function carry(doors: GateDoors, who: GateIdentity, body: SubmitBody, caller: Caller): Promise<void> {
  const left = Promise.withResolvers<void>()
  const forgetLeaving = caller.whenGone(left.resolve)
  const key = ownKey(who, body.submission)
  const submission = { leave: left.resolve }
  doors.submissions.set(key, submission)
  const call: Call = {
    ...callerOf(who, body.from),
    ...(body.kind === undefined ? {} : { kind: body.kind }),
    tool: { server: body.server, tool: body.tool },
    args: body.args,
  }
  const options = {
    until: left.promise,
    onHeld: (approval) => caller.say({ type: "held", approval }),
  } satisfies Parameters<GateDoors["gate"]["submit"]>[2]
  let ranByPolicy = false
  const elsewhere = runElsewhere(doors, who, body.args, caller)
  const run: Run = (args, context) => {
    ranByPolicy = context.approval === null
    return elsewhere(args, context)
  }
  try {
    const outcome =
      body.attach === undefined
        ? await doors.gate.submit(call, run, options)
        : await doors.gate.attach(body.attach, call, run, options)
    // What policy let run came to what its runner said, who need not hear it again.
    if (!ranByPolicy) caller.say({ type: "outcome", outcome })
  } finally {
    forgetLeaving()
    if (doors.submissions.get(key) === submission) doors.submissions.delete(key)
  }
}

/** Takes over a run that a program began for a process of the service which is gone. It is told under which name to settle it here. */
export function followRun(doors: GateDoors, who: GateIdentity, { from, approval }: ResumeBody): GateAnswer {
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
function runElsewhere(doors: GateDoors, who: GateIdentity, asked: JsonObject | null, caller: Caller): Run {
  return (args, { approval, cancelled }) =>
    new Promise<RunOutcome>((resolve) => {
      if (caller.isGone()) {
        resolve(asked === null ? brokeOff : neverSent)
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
      const isKnown = asked === null || args === asked
      caller.say({ type: "run", run: id, args: isKnown ? null : args, approval })
    })
}

const brokeOff: RunOutcome = {
  kind: "unknown",
  detail: "The program that ran this call went away before it said how it went.",
}
// Nothing was sent, so nothing ran.
const neverSent: RunOutcome = {
  kind: "failed",
  error: "The program that made this call was gone before it could run.",
}
