/**
 * A run's chunks as events of AG-UI 1.0.
 *
 * I1. One step of the model is one assistant message: its text, and the calls whose parent it is.
 * I2. What is opened is closed before the run finishes.
 */
import type { AgentRun, Approval } from "@byleave/core"
import type { Waiting } from "../runs.ts"
import type { RunStep } from "./follow-run.ts"

/** An event as it goes over the wire; the protocol's own package checks them in the tests. */
export type AgUiEvent = { readonly type: string } & Readonly<Record<string, unknown>>

type ChunkStep = Extract<RunStep, { kind: "chunk" }>

/** Gives the events of one chunk after the other. */
export function agUiEvents(run: string): (step: ChunkStep) => readonly AgUiEvent[] {
  const open = new Map<string, string>()
  const callOf = new Map<string, string>()
  const reasons = new Map<string, string>()
  let leg = 0
  let stepNumber = 0
  let texts = 0
  const messageId = (): string => `${run}/${leg}.${stepNumber}`
  const begin = (id: string, kind: "text" | "reasoning"): string => {
    texts += kind === "text" ? 1 : 0
    const name =
      kind === "reasoning" ? `${messageId()}-thought-${id}` : texts > 1 ? `${messageId()}-${texts}` : messageId()
    open.set(`${kind} ${id}`, name)
    return name
  }
  const result = (toolCallId: string, content: string): AgUiEvent => ({
    type: "TOOL_CALL_RESULT",
    messageId: `${run}/${leg}-result-${toolCallId}`,
    toolCallId,
    content,
    role: "tool",
  })
  const call = (toolCallId: string, toolCallName: string, input: unknown): readonly AgUiEvent[] => [
    { type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId: messageId() },
    { type: "TOOL_CALL_ARGS", toolCallId, delta: typeof input === "string" ? input : JSON.stringify(input ?? {}) },
    { type: "TOOL_CALL_END", toolCallId },
  ]
  return (step) => {
    const { chunk } = step
    if (step.leg !== leg) {
      leg = step.leg
      stepNumber = 0
    }
    switch (chunk.type) {
      case "start-step":
        stepNumber += 1
        texts = 0
        return []
      case "text-start":
        return [{ type: "TEXT_MESSAGE_START", messageId: begin(chunk.id, "text"), role: "assistant" }]
      case "text-delta":
        if (chunk.delta === "") return []
        return [{ type: "TEXT_MESSAGE_CONTENT", messageId: open.get(`text ${chunk.id}`), delta: chunk.delta }]
      case "text-end":
        return [{ type: "TEXT_MESSAGE_END", messageId: open.get(`text ${chunk.id}`) }]
      case "reasoning-start": {
        const id = begin(chunk.id, "reasoning")
        return [
          { type: "REASONING_START", messageId: id },
          { type: "REASONING_MESSAGE_START", messageId: id, role: "reasoning" },
        ]
      }
      case "reasoning-delta":
        if (chunk.delta === "") return []
        return [{ type: "REASONING_MESSAGE_CONTENT", messageId: open.get(`reasoning ${chunk.id}`), delta: chunk.delta }]
      case "reasoning-end": {
        const id = open.get(`reasoning ${chunk.id}`)
        return [
          { type: "REASONING_MESSAGE_END", messageId: id },
          { type: "REASONING_END", messageId: id },
        ]
      }
      case "tool-input-available":
        return call(chunk.toolCallId, chunk.toolName, chunk.input)
      case "tool-input-error":
        return [...call(chunk.toolCallId, chunk.toolName, chunk.input), result(chunk.toolCallId, chunk.errorText)]
      case "tool-approval-request":
        callOf.set(chunk.approvalId, chunk.toolCallId)
        return []
      case "tool-approval-response": {
        const toolCall = step.toolCall ?? callOf.get(chunk.approvalId)
        if (toolCall !== undefined && chunk.reason !== undefined) reasons.set(toolCall, chunk.reason)
        return []
      }
      case "tool-output-available":
        return [
          result(chunk.toolCallId, typeof chunk.output === "string" ? chunk.output : JSON.stringify(chunk.output)),
        ]
      case "tool-output-error":
        return [result(chunk.toolCallId, chunk.errorText)]
      case "tool-output-denied":
        return [result(chunk.toolCallId, reasons.get(chunk.toolCallId) || "This call was denied.")]
      default:
        return []
    }
  }
}

/** The schema that front ends draw as buttons: `approved`, and a reason. Editing is not offered: a reviewer edits what a reviewer sees. */
const responseSchema = {
  type: "object",
  properties: { approved: { type: "boolean" }, reason: { type: "string" } },
  required: ["approved"],
} as const

export function interruptOf({ requirement, approval }: Waiting): Readonly<Record<string, unknown>> {
  const expiresAt = expiryOf(approval)
  return {
    id: approval.id,
    reason: "tool_call",
    message: approval.why,
    toolCallId: requirement.toolCall,
    responseSchema,
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    metadata: { server: approval.tool.server, tool: approval.tool.tool },
  }
}

function expiryOf(approval: Approval): number | null {
  return approval.status === "pending" ? approval.expiresAt : null
}

export function endEvent(
  ids: { readonly threadId: string; readonly runId: string },
  run: AgentRun | undefined,
  waiting: readonly Waiting[],
): AgUiEvent {
  if (run === undefined) return runError("run-not-found", "There is no such run.")
  const finished = { type: "RUN_FINISHED", ...ids, result: { run: run.id, status: run.status } }
  switch (run.status) {
    case "paused":
      return { ...finished, outcome: { type: "interrupt", interrupts: waiting.map(interruptOf) } }
    case "failed":
      return runError(run.retryable ? "run-failed-retryable" : "run-failed", run.detail)
    case "cancelled":
      return { ...finished, outcome: { type: "cancelled" } }
    case "running":
    case "finished":
      return { ...finished, outcome: { type: "success" } }
  }
}

export function runError(code: string, message: string): AgUiEvent {
  return { type: "RUN_ERROR", code, message }
}
