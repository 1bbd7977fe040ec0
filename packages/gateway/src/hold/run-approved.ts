import { type Call, type JsonObject, type Run, type RunOutcome, shownName } from "@byleave/core"
import { LinkError } from "../upstream/link.ts"
import type { Audience, Exchange } from "../wire/exchange.ts"
import type { Reply } from "../wire/message.ts"
import { clientAway } from "../wire/not-asked.ts"
import { ownError, runOutcomeOf } from "../wire/outcome-reply.ts"
import type { Signal } from "../wire/signal.ts"
import type { HoldContext } from "./context.ts"
import { createCurrentClient, type Present } from "./current-client.ts"
import type { EarlyReply } from "./early-reply.ts"

/** The context in which a call is sent once it may run. */
export type Sending = {
  readonly audience: Audience
  readonly signal: Signal
  /** The params as the approver saw them, with the state that a modern server wants back; the current caller may have sent others. */
  readonly extraParams: JsonObject | undefined
  /** The arguments and extra params that run are those that the caller sent. */
  readonly asSent: boolean
  /** A server's question or task goes to the client as it is; else it is dealt with before the call is over. */
  readonly passesOn: boolean
  /** It is sent at most once, whatever the server makes of it: a person approved it, or an agent run of Byleave's own counts on it. */
  readonly once: boolean
  /** The one by which it runs; null: policy allowed it. */
  readonly approval: string | null
  /** As of the run's context. */
  readonly holdsUntil?: number | undefined
  /** As of the run's context. */
  readonly grant?: string | undefined
  /** As of the exchange, where the call is not sent for a client that is gone by then; absent: it runs whoever is there. */
  readonly isGone?: Exchange["isGone"] | undefined
  /** Gives the client the task that a legacy server made of it; the call itself is over when the task is. */
  readonly onTask?: EarlyReply["give"]
}

/** Sends a call to its server with the arguments that may run. */
export type SendApproved = (args: JsonObject, sending: Sending) => Promise<Reply>

/** A call and the way to its server. */
export type ApprovedSend = { readonly call: Call; readonly send: SendApproved }

/** A call without what was sent with it: what runs once a person has approved it comes from the store. */
export function withoutSent(call: Call): Call {
  if (call.extraParams === undefined) return { ...call, args: nothingSent }
  const { extraParams: _, ...kept } = call
  return { ...kept, args: nothingSent }
}

const nothingSent: JsonObject = {}

type Approved = Pick<Sending, "approval" | "extraParams" | "onTask" | "isGone" | "holdsUntil" | "grant"> & {
  readonly cancelled: Promise<void>
  readonly present: Present
  readonly args: JsonObject
}

/** Runs a call that a person approved, or that policy allowed to an agent run: to its end, even if callers come and go. */
export async function runApproved(
  context: HoldContext,
  gated: ApprovedSend,
  { approval, cancelled, present, args, isGone: isClientGone, ...more }: Approved,
): Promise<RunOutcome> {
  const audience = createCurrentClient(present, context.times.parkedMs)
  const abort = new AbortController()
  void cancelled.then(() => abort.abort())
  if (approval !== null) context.audiences.set(approval, audience)
  try {
    const isGone = (): boolean => isClientGone?.() === true || (approval !== null && context.withdrawn.has(approval))
    const sending = { audience, signal: abort.signal, approval, ...more, isGone }
    return await outcomeOfRun(gated, gated.send(args, { ...sending, asSent: false, passesOn: false, once: true }))
  } finally {
    audience.end()
    if (approval !== null) {
      context.audiences.delete(approval)
      context.withdrawn.delete(approval)
      context.inputs.end(approval)
    }
  }
}

/** The outcome of a run, also where no reply came: it failed if nothing was sent or the server refused it; else it is unknown. */
export async function outcomeOfRun({ call }: Pick<ApprovedSend, "call">, replied: Promise<Reply>): Promise<RunOutcome> {
  try {
    return runOutcomeOf(await replied)
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    const { server } = call.tool
    switch (error.code) {
      case "unreachable":
        return failedRun(
          call,
          "byleave/unreachable",
          `The server ${shownName(server)} could not be reached, so nothing was done: ${error.message}`,
        )
      case "changed":
        return failedRun(call, "byleave/changed", error.message)
      case "unsent":
        return failedRun(call, "byleave/withdrawn", error.message)
      case "refused":
        return failedRun(
          call,
          "byleave/refused",
          `The server ${shownName(server)} did not accept this call, so it should have done nothing: ${error.message}`,
        )
      default:
        return { kind: "unknown", detail: error.message }
    }
  }
}

function failedRun(call: Call, key: string, text: string): RunOutcome {
  if ((call.kind ?? "tool") !== "tool") return runOutcomeOf({ kind: "error", error: { code: -32603, message: text } })
  return runOutcomeOf(ownError(text, key, { server: call.tool.server }))
}

/** Runs an approved call whose client is away: nobody is asked anything, and nobody hears of its progress, unless the agent comes back meanwhile. */
export function runForAbsent(context: HoldContext, gated: ApprovedSend): Run {
  return (args, { approval, cancelled, extraParams, holdsUntil, grant }) => {
    const present: Present = { notify: () => {}, inquire: async () => clientAway }
    return runApproved(context, gated, { approval, cancelled, present, args, extraParams, holdsUntil, grant })
  }
}
