/** A leg ends in one commit: with the pause and its holds, or with the run's end. */
import type { Requirement, RunGate, RunHeldLimits, RunningRun, RunProgress } from "@byleave/core"
import type { ModelMessage } from "ai"
import { type JournalWriter, lineNames } from "../journal/journal.ts"
import type { Meter } from "./meter.ts"
import type { RunCalls } from "./run-calls.ts"

/** How a leg ended. `stopped`: the service stops; the process that takes the run up plays the leg again. */
export type LegEnd = "paused" | "finished" | "failed" | "lost" | "stopped"

type EndPorts = {
  readonly gate: Pick<RunGate, "pauseRun" | "changeRun">
  /** The limits on calls that may wait with the run. */
  readonly waiting: RunHeldLimits
}

type Ended = {
  readonly writer: JournalWriter
  readonly calls: RunCalls
  readonly meter: Meter
  readonly messages: readonly ModelMessage[]
  readonly finishReason: string
  /** Calls of the step before that AI SDK has not dealt with, because the leg ended before it began. */
  readonly open?: readonly Requirement[]
}

export async function endLeg(ports: EndPorts, run: RunningRun, ended: Ended): Promise<LegEnd> {
  const { writer, calls, meter, messages } = ended
  const line = writer.line(lineNames.leg(run.legs), { messages })
  const progress = meter.progress(writer.bytes())
  const asked = calls.asked()
  if (asked.length > 0) {
    const isAsked = new Set(asked.map(({ toolCall }) => toolCall))
    const kept = (ended.open ?? []).filter(({ toolCall }) => !isAsked.has(toolCall))
    const within = ports.waiting
    const paused = await ports.gate.pauseRun({ run, calls: asked, kept, progress, lines: [line], within })
    if (paused.ok) return "paused"
    if (paused.refusal.code !== "too-much-waits") return "lost"
    // Others of the starter were faster. Continued, the calls are tried again.
    return endFailed(ports, run, { retryable: true, detail: paused.refusal.reason }, progress)
  }
  const isCut = ended.finishReason === "tool-calls" && messages.at(-1)?.role === "tool" && !waitsForCaller(messages)
  const changed = await ports.gate.changeRun(
    run.id,
    (_, { at }) =>
      isCut
        ? { type: "fail", owner: run.owner, leg: run.legs, retryable: true, detail: stepsUsed(run), at, ...progress }
        : { type: "finish", owner: run.owner, leg: run.legs, at, ...progress },
    { lines: [line] },
  )
  if (!changed.ok) return "lost"
  return isCut ? "failed" : "finished"
}

/** Whether a call has no result: one that the caller carries out, which ended the leg. */
function waitsForCaller(messages: readonly ModelMessage[]): boolean {
  const open = new Set<string>()
  for (const { content } of messages) {
    if (typeof content === "string") continue
    for (const part of content) {
      if (part.type === "tool-call") open.add(part.toolCallId)
      else if (part.type === "tool-result") open.delete(part.toolCallId)
    }
  }
  return open.size > 0
}

function stepsUsed(run: RunningRun): string {
  return `The run has used the ${run.setup.maxSteps} steps it may take at once. Continue it to let it go on.`
}

export async function endFailed(
  { gate }: EndPorts,
  run: RunningRun,
  { retryable, detail }: { readonly retryable: boolean; readonly detail: string },
  progress: RunProgress,
): Promise<LegEnd> {
  const { owner, legs: leg } = run
  const failed = await gate.changeRun(run.id, (_, { at }) => ({
    ...{ type: "fail", owner, leg, retryable, detail, at },
    ...progress,
  }))
  return failed.ok ? "failed" : "lost"
}
