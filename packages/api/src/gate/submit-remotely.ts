/**
 * One call of a gate whose decisions are made elsewhere. Its outcome is told to the service that said to run it, or, when that is gone, to
 * the next one.
 *
 * I1. A call runs on the service's word, once per submission, however often that is said.
 * I2. It runs with the arguments the service names.
 * I3. What has begun here is not submitted again when its connection breaks: its own outcome is the answer.
 * I4. A submission that was never held is not repeated: without the word of the service nothing runs.
 * I5. A word that may be old by now is asked about again: one that a person was waited for, or that took long. A process may have been stopped meanwhile,
 *     and reads such a word before all that has happened since. Where nobody answers, nothing runs.
 * I6. A service that is busy, or in trouble, ends no wait for a call that is held: it is asked again, as after a broken connection.
 */
import type { Approval, Call, CallerGate, Outcome, Run, SubmitOptions } from "@byleave/core"
import { problemOf, readAnswer } from "../client/service-answer.ts"
import { isBusy, wordHoldsMs } from "./ask-still-runs.ts"
import { elapsedHere } from "./elapsed-here.ts"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { SubmitBody, SubmitLine } from "./gate-wire.ts"
import { type Performed, performHere, performIfItMay } from "./perform-here.ts"
import { resumeRun } from "./resume-run.ts"
import { tellOutcome } from "./tell-outcome.ts"
import type { ToldTools } from "./told-tools.ts"

/** A submission's needs from the gate it belongs to. */
export type Remote = {
  readonly transport: GateTransport
  readonly newId: () => string
  /** Resolves after that many milliseconds. */
  readonly pause: (ms: number) => Promise<void>
  /** Milliseconds on a clock that only goes forward; that of the platform where it is absent. */
  readonly elapsed?: () => number
  readonly onTrouble?: (trouble: unknown) => void
  /** Told with each held call whether an answer given in the client counts at the service. */
  readonly onDecidesInClient?: (decides: boolean) => void
  readonly mayStillRun: CallerGate["mayStillRun"]
  readonly told: ToldTools
  /** Which program the server here is, where that is known. */
  readonly program: string | undefined
  readonly settling: Set<Promise<unknown>>
  /** Aborted once nobody waits any longer for a service to come back. */
  readonly closing: AbortSignal
}

/** How often a submission is taken up again after its connection broke, with a second between. */
const returns = 8 * 60 * 60

export async function submitRemotely(
  remote: Remote,
  call: Call,
  run: Run,
  options: SubmitOptions,
  attach: string | undefined,
): Promise<Outcome | null> {
  let held = attach
  let waited: Promise<unknown> | undefined
  let hasWaitedEnough = false
  const enough = (): void => {
    hasWaitedEnough = true
  }
  const until = (): Promise<unknown> | undefined => {
    if (waited !== undefined) return waited
    waited = options.until?.()
    void waited?.then(enough, enough)
    return waited
  }
  const onHeld = (approval: Approval): void => {
    if (held !== approval.id) options.onHeld?.(approval)
    held = approval.id
  }
  for (let attempt = 0; attempt < returns; attempt++) {
    const end = await submitOnce(remote, call, run, { onHeld, until, leavesAnswered: options.leavesAnswered }, held)
    if (end.kind === "outcome") return end.outcome
    if (end.kind === "gone" && attach !== undefined && attempt === 0) return null
    if (end.kind === "refused" && (held === undefined || !isBusy(end.status))) return refusal(end.reason)
    if (held === undefined && end.kind !== "tell") return unreachable(remote)
    if (end.kind === "tell") await remote.told.tellAgain(call.tool.server, end.instance)
    else {
      if (hasWaitedEnough) return { kind: "ticket", approval: held ?? "", expiresAt: null }
      await Promise.race([remote.pause(1_000), until() ?? new Promise(() => {})])
    }
  }
  return unreachable(remote)
}

type End =
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "gone" }
  | { readonly kind: "tell"; readonly instance: string }
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }
  | { readonly kind: "cut-off" }

/** The part of a caller's options that one connection needs. */
type Waiting = Pick<SubmitOptions, "leavesAnswered"> & {
  readonly onHeld: (approval: Approval) => void
  readonly until: () => Promise<unknown> | undefined
}

/** One connection's worth of a submission. */
function submitOnce(
  remote: Remote,
  call: Call,
  run: Run,
  { onHeld, until, leavesAnswered }: Waiting,
  attach: string | undefined,
): Promise<End> {
  const submission = remote.newId()
  const cancel = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<void>()
  const { elapsed = elapsedHere } = remote
  const asked = elapsed()
  let mayBeOld = attach !== undefined
  let performed: Promise<Performed> | undefined
  let isTold = false
  const perform = (line: Extract<SubmitLine, { readonly type: "run" }>, isOld: boolean): Promise<Performed> => {
    const args = line.args ?? call.args
    const context = {
      approval: line.approval,
      extraParams: line.extraParams === undefined ? call.extraParams : (line.extraParams ?? undefined),
      ...(line.holdsUntil === undefined ? {} : { holdsUntil: line.holdsUntil }),
      ...(line.grant === undefined ? {} : { grant: line.grant }),
      cancelled: cancel.promise,
    }
    if (!isOld) return performHere(run, args, context)
    return performIfItMay(remote.mayStillRun, call, run, args, context)
  }
  return new Promise((end) => {
    const hear = (line: SubmitLine): void => {
      switch (line.type) {
        case "tell":
          end({ kind: "tell", instance: line.instance })
          break
        case "held":
          mayBeOld = true
          leaveAfter(remote, submission, until())
          remote.onDecidesInClient?.(line.decidesInClient === true)
          onHeld(line.approval)
          break
        case "run":
          if (performed !== undefined) break
          performed = perform(line, mayBeOld || elapsed() - asked >= wordHoldsMs)
          // Of what was not sent, its caller hears why, and not what the record makes of that.
          void performed.then(({ outcome }) => outcome.kind === "refusal" && end({ kind: "outcome", outcome }))
          track(remote, settle(remote, call, line, { performed, end, cut: cut.promise, cancel: cancel.resolve }))
          break
        case "cancelled":
          cancel.resolve()
          break
        case "outcome":
          isTold = true
          end(line.outcome === null ? { kind: "gone" } : { kind: "outcome", outcome: line.outcome })
          break
      }
    }
    const body = JSON.stringify(submitBodyOf(remote, call, { submission, attach, leavesAnswered }))
    remote.transport
      .post(gatePaths.submit, body, { onLine: (text) => hear(readAnswer<SubmitLine>(text)) })
      .then(({ status, text }) => {
        if (status !== 200) end({ kind: "refused", status, reason: problemOf(status, text) })
        else cutOff(performed, end)
      })
      .catch(() => cutOff(performed, end))
      .finally(() => {
        if (!isTold) cut.resolve()
      })
  })
}

/** The stream ended without an outcome. A run that has begun here still ends here. */
function cutOff(performed: Promise<Performed> | undefined, end: (end: End) => void): void {
  if (performed === undefined) end({ kind: "cut-off" })
  void performed?.then(({ outcome }) => end({ kind: "outcome", outcome }))
}

type Begun = {
  readonly performed: Promise<Performed>
  readonly end: (end: End) => void
  /** Resolves when the connection has ended before the service said what became of the call. */
  readonly cut: Promise<void>
  readonly cancel: () => void
}

async function settle(
  remote: Remote,
  call: Call,
  { run, approval }: Extract<SubmitLine, { readonly type: "run" }>,
  { performed, end, cut, cancel }: Begun,
): Promise<void> {
  // An allowed call has nothing to wait for: its caller need not wait for the record of it.
  if (approval === null) {
    const { ran, outcome } = await performed
    end({ kind: "outcome", outcome })
    return mustBeTaken(await tellOutcome(remote.transport, run, ran, { isLate: true }))
  }
  const ended = await Promise.race([performed, cut.then(() => null)])
  const onTooLarge = (): void => void performed.then(({ outcome }) => end({ kind: "outcome", outcome }))
  const settling = ended && tellOutcome(remote.transport, run, ended.ran, { onTooLarge })
  const answer = (await settling?.catch(() => null)) ?? null
  // A process that does not know the run may have replaced the one that did, and have too much waiting to say so.
  if (answer !== null && answer.status !== 404 && answer.status !== 429) return mustBeTaken(answer)
  await resumeRun(remote, call, approval, { performed, cancel })
}

function mustBeTaken({ status, text }: { readonly status: number; readonly text: string }): void {
  if (status >= 400) throw new Error(`The outcome of a call was not taken: ${problemOf(status, text)}`)
}

function track(remote: Remote, work: Promise<unknown>): void {
  const tracked = work
    .catch((trouble: unknown) => remote.onTrouble?.(trouble))
    .finally(() => remote.settling.delete(tracked))
  remote.settling.add(tracked)
}

/** Once its caller has waited long enough, the service lets go of it and answers with a ticket. */
function leaveAfter(remote: Remote, submission: string, until: Promise<unknown> | undefined): void {
  const leave = (): void => track(remote, remote.transport.post(gatePaths.leave(submission), "{}"))
  void until?.then(leave, leave)
}

type Submission = Pick<SubmitBody, "submission" | "attach" | "leavesAnswered">

function submitBodyOf(remote: Remote, call: Call, submitted: Submission): SubmitBody {
  const { submission, attach, leavesAnswered } = submitted
  const { told, program } = remote
  const { definition } = call.listed ?? {}
  const isTold = definition === undefined || told.isAsTold(call.tool.server, definition)
  return {
    submission,
    from: { agent: call.principal.id, session: { id: call.session.id, named: call.session.named } },
    ...(call.kind === undefined ? {} : { kind: call.kind }),
    server: call.tool.server,
    tool: call.tool.tool,
    args: call.args,
    ...(call.extraParams === undefined ? {} : { extraParams: call.extraParams }),
    ...(call.droppedParams === undefined ? {} : { droppedParams: [...call.droppedParams] }),
    ...(call.connection === undefined ? {} : { connection: call.connection }),
    ...(attach === undefined ? {} : { attach }),
    ...(leavesAnswered === undefined ? {} : { leavesAnswered }),
    told: told.instances(call.tool.server),
    ...(isTold ? {} : { definition }),
    ...(program === undefined ? {} : { program }),
  }
}

function unreachable({ transport }: Remote): Outcome {
  const what = "Byleave's service is unreachable, so nothing runs."
  return refusal(
    transport.isBroughtBack?.() === true
      ? `${what} It is being started again: call again in a minute.`
      : `${what} Tell the user to start it with \`byleave serve\`, then call again.`,
  )
}

function refusal(reason: string): Outcome {
  return { kind: "refusal", refusal: { by: "policy", code: "store-unavailable", reason }, approval: null }
}

export const lost = refusal("The call was lost while waiting. Call again.")
