/**
 * One call of a gate whose decisions are made elsewhere.
 *
 * I1. A call runs on the service's word, once per submission, however often that is said.
 * I2. It runs with the arguments the service names.
 * I3. What has begun here is not submitted again when its connection breaks: its own outcome is the answer.
 * I4. A submission that was never held is not repeated: without the word of the service nothing runs.
 */
import type { Call, Outcome, Run, SubmitOptions } from "@byleave/core"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { SubmitBody, SubmitLine } from "./gate-wire.ts"
import { type Performed, performHere } from "./perform-here.ts"
import { problemOf, readAnswer } from "./service-answer.ts"
import type { ToldTools } from "./told-tools.ts"

/** What a submission needs of the gate it belongs to. */
export type Remote = {
  readonly transport: GateTransport
  readonly newId: () => string
  /** Resolves after that many milliseconds. */
  readonly pause: (ms: number) => Promise<void>
  readonly onTrouble?: (trouble: unknown) => void
  readonly told: ToldTools
  readonly settling: Set<Promise<unknown>>
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
  let hasWaitedEnough = false
  const enough = (): void => {
    hasWaitedEnough = true
  }
  void options.until?.then(enough, enough)
  const onHeld: SubmitOptions["onHeld"] = (approval) => {
    if (held !== approval.id) options.onHeld?.(approval)
    held = approval.id
  }
  for (let attempt = 0; attempt < returns; attempt++) {
    const end = await submitOnce(remote, call, run, { ...options, onHeld }, held)
    if (end.kind === "outcome") return end.outcome
    if (end.kind === "gone" && attach !== undefined && attempt === 0) return null
    if (end.kind === "refused") return refusal(end.reason)
    if (held === undefined && end.kind !== "tell") return refusal(unreachable)
    if (end.kind === "tell") await remote.told.tellAgain(call.tool.server, end.instance)
    else {
      if (hasWaitedEnough) return { kind: "ticket", approval: held ?? "", expiresAt: null }
      await Promise.race([remote.pause(1_000), options.until])
    }
  }
  return refusal(unreachable)
}

type End =
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "gone" }
  | { readonly kind: "tell"; readonly instance: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "cut-off" }

/** One connection's worth of a submission. */
function submitOnce(
  remote: Remote,
  call: Call,
  run: Run,
  options: SubmitOptions,
  attach: string | undefined,
): Promise<End> {
  const submission = remote.newId()
  const cancel = Promise.withResolvers<void>()
  let performed: Promise<Performed> | undefined
  return new Promise((end) => {
    const hear = (line: SubmitLine): void => {
      switch (line.type) {
        case "tell":
          end({ kind: "tell", instance: line.instance })
          break
        case "held":
          leaveAfter(remote, submission, options.until)
          options.onHeld?.(line.approval)
          break
        case "run":
          if (performed !== undefined) break
          performed = performHere(run, line.args ?? call.args, { approval: line.approval, cancelled: cancel.promise })
          track(remote, settle(remote, line, performed, end))
          break
        case "cancelled":
          cancel.resolve()
          break
        case "outcome":
          end(line.outcome === null ? { kind: "gone" } : { kind: "outcome", outcome: line.outcome })
          break
      }
    }
    const body = JSON.stringify(submitBodyOf(remote, call, submission, attach))
    remote.transport
      .post(gatePaths.submit, body, { onLine: (text) => hear(readAnswer<SubmitLine>(text)) })
      .then(({ status, text }) => {
        if (status !== 200) end({ kind: "refused", reason: problemOf(status, text) })
        else cutOff(performed, end)
      })
      .catch(() => cutOff(performed, end))
  })
}

/** The stream ended without an outcome. What has begun here still ends here; the service will call it unknown. */
function cutOff(performed: Promise<Performed> | undefined, end: (end: End) => void): void {
  if (performed === undefined) end({ kind: "cut-off" })
  void performed?.then(({ outcome }) => end({ kind: "outcome", outcome }))
}

async function settle(
  remote: Remote,
  line: Extract<SubmitLine, { readonly type: "run" }>,
  performed: Promise<Performed>,
  end: (end: End) => void,
): Promise<void> {
  const { ran, outcome } = await performed
  // An allowed call has nothing to wait for: its caller need not wait for the record of it.
  const isLate = line.approval === null
  if (isLate) end({ kind: "outcome", outcome })
  const { status, text } = await remote.transport.post(gatePaths.settle(line.run), JSON.stringify(ran), { isLate })
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

function submitBodyOf(remote: Remote, call: Call, submission: string, attach: string | undefined): SubmitBody {
  return {
    submission,
    from: { agent: call.principal.id, session: { id: call.session.id, named: call.session.named } },
    ...(call.kind === undefined ? {} : { kind: call.kind }),
    server: call.tool.server,
    tool: call.tool.tool,
    args: call.args,
    ...(attach === undefined ? {} : { attach }),
    told: remote.told.instances(call.tool.server),
  }
}

const unreachable =
  "Byleave's service cannot be reached, so nothing runs. Tell the user to start it with `byleave serve`, then call again."

function refusal(reason: string): Outcome {
  return { kind: "refusal", refusal: { by: "policy", code: "store-unavailable", reason }, approval: null }
}

export const lost = refusal("The call was lost while it waited. Call it again.")
