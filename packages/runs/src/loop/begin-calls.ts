/** Calls of a leg before AI SDK asks for them, and what a call of a server is told and answered. */
import type { LanguageModelV4ToolCall } from "@ai-sdk/provider"
import { asObject, type ReadResult, type RunContext, toolName } from "@byleave/core"
import type { Journal } from "../journal/journal.ts"
import { isOfFace, type LegPorts } from "./leg-ports.ts"
import { type OpenCall, objectOf } from "./open-calls.ts"
import type { RunCalls } from "./run-calls.ts"

/** AI SDK takes all answers to a step at once: where one call must be asked about, the others have their outcomes in the journal and wait with it. */
export async function judgeUnasked(open: readonly OpenCall[], journal: Journal, calls: RunCalls): Promise<void> {
  const unasked = open.flatMap(({ requirement: { approval, toolCall }, call }) =>
    approval === null && !journal.outcomes.has(toolCall) ? [call] : [],
  )
  const taken = await Promise.all(unasked.map(calls.take))
  if (calls.asked().length === 0) return
  await Promise.all(unasked.filter((_, at) => taken[at]?.kind !== "asked").map(calls.outcome))
}

type CarryingPorts = Pick<LegPorts, "tools" | "carryOut" | "signal" | "isClosing">

/** Sends a call to its server, unless the tool is no longer offered. */
export async function carryOutOffered(
  ports: CarryingPorts,
  ...[call, args, context]: Parameters<LegPorts["carryOut"]>
): ReturnType<LegPorts["carryOut"]> {
  const isOffered = ports.tools.some(({ ref }) => ref.server === call.tool.server && ref.tool === call.tool.tool)
  if (isOffered) {
    const { context: cancellable, end } = cancelledWith(context, ports)
    return ports.carryOut(call, args, cancellable).finally(end)
  }
  return { kind: "failed", error: `${toolName(call.tool)} is no longer offered, so this call did not run.` }
}

/** A server is told that nobody waits for a call any more; not where the service stops, which waits for it. `end`: the call is over, and nothing of it stays with the leg. */
function cancelledWith<Context extends RunContext>(
  context: Context,
  { signal, isClosing }: CarryingPorts,
): { readonly context: Context; readonly end: () => void } {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const stop = (): void => {
    if (!isClosing()) resolve()
  }
  if (signal.aborted) stop()
  else signal.addEventListener("abort", stop, { once: true })
  const cancelled = Promise.race([context.cancelled, stopped])
  return { context: { ...context, cancelled }, end: () => signal.removeEventListener("abort", stop) }
}

/**
 * Begins the calls of an answer side by side; AI SDK asks for one after the other, and finds them begun. Calls that it might not accept are left to it:
 * a call that it refuses must not run.
 */
export function beginAll(
  made: readonly LanguageModelV4ToolCall[],
  calls: RunCalls,
  ports: LegPorts,
  argsOf: (toolCall: string) => ReadResult | undefined,
): void {
  if (made.length < 2) return
  const offered = new Set(ports.tools.map(({ name }) => name))
  for (const { toolCallId, toolName, input, providerExecuted } of made) {
    if (providerExecuted === true || !offered.has(toolName) || isOfFace(ports, toolName)) continue
    const read = argsOf(toolCallId)
    if (read?.ok !== true || asObject(read.value) === undefined || /\\u|__proto__|constructor/.test(input)) continue
    // A failure is reported to the code that asks for the call.
    calls.take({ toolCallId, toolName, input: objectOf(read.value) }).catch(() => {})
  }
}
