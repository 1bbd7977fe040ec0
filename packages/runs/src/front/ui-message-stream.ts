import type { AgentRun } from "@byleave/core"
import type { UIMessageChunk } from "ai"
import { followRun, type RunStep } from "./follow-run.ts"
import type { FrontPorts } from "./front-ports.ts"
import { fromTurns } from "./run-turns.ts"
import { startChunk } from "./ui-messages.ts"

export type UiStreamOptions = {
  /** Goes on after this leg, for a page that has what was before; absent: the agent's last message is told from its beginning. */
  readonly after?: number
  /** Stays through pauses, for a page whose reader cannot answer: useChat sends no answers while a stream is open. */
  readonly wait?: boolean
  readonly signal?: AbortSignal
  /** Told first: requests that the page takes for answered and that are not. */
  readonly unanswered?: readonly UnansweredRequest[]
}

export type UnansweredRequest = { readonly approval: string; readonly toolCall: string; readonly why: string }

/** A run as AI SDK's UI message stream: one message, which goes on after each pause. */
export function uiMessageStream(
  ports: FrontPorts,
  run: string,
  options: UiStreamOptions = {},
): ReadableStream<UIMessageChunk> {
  const stop = new AbortController()
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal])
  const chunks = uiChunks(ports, run, { ...options, signal })
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => stop.abort(),
  })
}

async function* uiChunks(ports: FrontPorts, run: string, options: UiStreamOptions): AsyncGenerator<UIMessageChunk> {
  const turn = await fromTurns(ports, run, (turns) => {
    const last = turns.at(-1)
    return last === undefined ? undefined : { id: last.id, leg: last.leg }
  })
  const after = options.after ?? (turn?.leg ?? 1) - 1
  if (turn !== undefined) yield startChunk(run, turn.id)
  for (const { approval, toolCall, why } of options.unanswered ?? []) {
    yield { type: "tool-approval-request", approvalId: approval, toolCallId: toolCall, reason: why }
  }
  for await (const step of followRun(ports, run, { after, wait: options.wait === true, signal: options.signal })) {
    yield* stepChunks(step)
  }
}

function stepChunks(step: RunStep): readonly UIMessageChunk[] {
  switch (step.kind) {
    case "chunk":
      return [step.chunk]
    case "retry":
      return [{ type: "data-retry", data: { attempt: step.attempt }, transient: true }]
    case "waits": {
      const data = { approvals: step.for.map(({ approval }) => approval.id) }
      return [{ type: "data-waiting", data, transient: true }]
    }
    case "rests":
      return [endChunk(step.run)]
  }
}

function endChunk(run: AgentRun | undefined): UIMessageChunk {
  if (run === undefined) return { type: "error", errorText: "There is no such run." }
  const messageMetadata = { runId: run.id, status: run.status, usage: run.usage }
  switch (run.status) {
    case "failed":
      return { type: "error", errorText: run.detail }
    case "cancelled":
      return { type: "abort", reason: run.detail }
    case "paused":
      return { type: "finish", finishReason: "tool-calls", messageMetadata }
    case "running":
    case "finished":
      return { type: "finish", finishReason: "stop", messageMetadata }
  }
}
