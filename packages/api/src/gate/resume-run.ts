/**
 * A run whose service went away before it heard the outcome: it is told to the service that comes next. Nothing runs here: what is told
 * about has begun already.
 *
 * I1. What the run came to is told to the service that takes it over, under the name that this gives it.
 * I2. A service that is not there, is busy or in trouble, or has no such run yet, is asked again; but not for ever, and not once this gate closes.
 * I3. One that does not take the outcome is not asked again, and whoever looks after this process is told.
 * I4. A cancel that the next service knows of reaches the run.
 */
import type { Call, Outcome } from "@byleave/core"
import { problemOf, readAnswer } from "../client/service-answer.ts"
import { gatePaths } from "./gate-paths.ts"
import type { ResumeBody, SubmitLine } from "./gate-wire.ts"
import type { Performed } from "./perform-here.ts"
import type { Remote } from "./submit-remotely.ts"
import { tellOutcome } from "./tell-outcome.ts"

type Begun = { readonly performed: Promise<Performed>; readonly cancel: () => void }

/** A service that cannot be reached may come back at any time; one that has no such run for us will hardly get it. */
const mostUnreached = 8 * 60 * 60
const mostWithout = 60

type Told = "told" | "without" | "unreached"

/** Rejects when no service takes it. */
export async function resumeRun(remote: Remote, call: Call, approval: string, begun: Begun): Promise<void> {
  const closing = aborted(remote.closing)
  const times = { without: 0, unreached: 0 }
  for (;;) {
    const told = await resumeOnce(remote, call, approval, begun)
    if (told === "told") return
    times[told] += 1
    if (remote.closing.aborted || times.unreached > mostUnreached || times.without > mostWithout) {
      throw new Error("The service was gone when a call ended, and none came back to take its outcome.")
    }
    await Promise.race([remote.pause(1_000), closing])
  }
}

/** One connection's worth of it. It stands until the call has ended, so that the service knows that somebody runs it. */
async function resumeOnce(
  { transport }: Remote,
  { principal, session }: Call,
  approval: string,
  { performed, cancel }: Begun,
): Promise<Told> {
  const from = { agent: principal.id, session: { id: session.id, named: session.named } }
  const body: ResumeBody = { from, approval }
  let settling: Promise<unknown> | undefined
  let recorded: Outcome | null | undefined
  const hear = (line: SubmitLine): void => {
    if (line.type === "cancelled") cancel()
    if (line.type === "outcome") recorded = line.outcome
    if (line.type !== "run") return
    settling = performed.then(({ ran }) => tellOutcome(transport, line.run, ran)).catch(() => undefined)
  }
  const onLine = (text: string): void => hear(readAnswer<SubmitLine>(text))
  const answer = await transport.post(gatePaths.resume, JSON.stringify(body), { onLine }).catch(() => null)
  if (answer !== null && isRefusal(answer.status)) throw new Error(notTaken(problemOf(answer.status, answer.text)))
  if (recorded === undefined) return "unreached"
  if (recorded === null) return "without"
  await settling
  if (settling === undefined && recorded.kind === "unknown") throw new Error(notTaken(recorded.detail))
  return "told"
}

/** Trouble of its own is none, nor that too much waits there: by the next time it may be over. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429
}

function notTaken(why: string): string {
  return `The outcome of a call was not taken: ${why}`
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })
}
