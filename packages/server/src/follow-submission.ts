import type { SubmitBody, SubmitLine } from "@byleave/api"
import type { Call, JsonObject, Run, RunOutcome } from "@byleave/core"
import { callerOf, type GateDoors, type GateIdentity, ownKey } from "./gate-doors.ts"
import { problem } from "./gate-problem.ts"
import { lineStream } from "./line-stream.ts"

/** Submits a call for a program elsewhere, and tells it line by line what becomes of it. */
export function followSubmission(doors: GateDoors, who: GateIdentity, body: SubmitBody, gone: AbortSignal): Response {
  const wasTold = doors.told.has(ownKey(who, body.server))
  if (!wasTold && doors.isServed?.(body.server) === true) return problem("not-yours")
  const { response, write, end } = lineStream(doors.keepAliveMs, gone)
  const say = (line: SubmitLine): void => write(line)
  const isKnown = body.told.includes(doors.instance) && wasTold
  if (!isKnown && body.told.length > 0) {
    say({ type: "tell", instance: doors.instance })
    end()
    return response
  }
  void carry(doors, who, body, gone, say).finally(end)
  return response
}

async function carry(
  doors: GateDoors,
  who: GateIdentity,
  body: SubmitBody,
  gone: AbortSignal,
  say: (line: SubmitLine) => void,
): Promise<void> {
  const left = Promise.withResolvers<void>()
  gone.addEventListener("abort", () => left.resolve(), { once: true })
  const key = ownKey(who, body.submission)
  const submission = { leave: left.resolve }
  doors.submissions.set(key, submission)
  const call: Call = {
    ...callerOf(who, body.from),
    ...(body.kind === undefined ? {} : { kind: body.kind }),
    tool: { server: body.server, tool: body.tool },
    args: body.args,
  }
  const options = { until: left.promise, onHeld: (approval) => say({ type: "held", approval }) } satisfies Parameters<
    GateDoors["gate"]["submit"]
  >[2]
  const run = runElsewhere(doors, who, body.args, gone, say)
  try {
    const outcome =
      body.attach === undefined
        ? await doors.gate.submit(call, run, options)
        : await doors.gate.attach(body.attach, call, run, options)
    say({ type: "outcome", outcome })
  } finally {
    if (doors.submissions.get(key) === submission) doors.submissions.delete(key)
  }
}

/** The run of a call that another process carries out: told to run, it settles by a request of its own. */
function runElsewhere(
  doors: GateDoors,
  who: GateIdentity,
  asked: JsonObject,
  gone: AbortSignal,
  say: (line: SubmitLine) => void,
): Run {
  return (args, { approval, cancelled }) =>
    new Promise<RunOutcome>((resolve) => {
      const id = doors.newId()
      const over = (outcome: RunOutcome): void => {
        doors.runs.delete(id)
        resolve(outcome)
      }
      if (gone.aborted) {
        // Nothing was sent, so nothing ran.
        over({ kind: "failed", error: "The program that made this call was gone before it could run." })
        return
      }
      doors.runs.set(id, { token: who.token, settle: over })
      gone.addEventListener("abort", () => over({ kind: "unknown", detail: cutOff }), { once: true })
      void cancelled.then(() => say({ type: "cancelled" }))
      say({ type: "run", run: id, args: args === asked ? null : args, approval })
    })
}

const cutOff = "The program that ran this call went away before it said how it went."
