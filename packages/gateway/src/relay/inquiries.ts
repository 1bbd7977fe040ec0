import type { Call, TargetKind } from "@byleave/core"
import type { HoldContext } from "../hold/context.ts"
import type { Ask, Reply } from "../wire/message.ts"
import { replyOfOutcome, runOutcomeOf } from "../wire/outcome-reply.ts"

const kinds = new Map<string, Exclude<TargetKind, "tool" | "resource" | "prompt">>([
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
  ["roots/list", "roots"],
])

/** Whoever a server's question is for. */
export type Asked = {
  readonly server: string
  readonly who: Pick<Call, "principal" | "session">
  readonly inquire: (ask: Ask) => Promise<Reply>
  /** The request it belongs to is over or withdrawn: nobody waits for a person's answer any more. */
  readonly signal?: AbortSignal
}

/** What a server asks of its client passes unless a rule is about it; then the gate has its word first. */
export async function askJudged(context: HoldContext, asked: Asked, ask: Ask): Promise<Reply> {
  const kind = kinds.get(ask.method)
  if (kind === undefined) return asked.inquire(ask)
  const { server, who, signal } = asked
  const args = ask.params ?? {}
  const decision = await context.gate.judge({ server, kind, name: kind }, args, who)
  if (decision.because.kind === "passes") return asked.inquire(ask)
  const call: Call = { kind, tool: { server, tool: kind }, args, principal: who.principal, session: who.session }
  const outcome = await context.gate.submit(
    call,
    async (params) => runOutcomeOf(await asked.inquire({ method: ask.method, params })),
    signal === undefined ? {} : { until: aborted(signal) },
  )
  return replyOfOutcome(outcome, { call, era: "legacy", inbox: context.inbox() })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })
}
