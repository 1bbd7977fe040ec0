/**
 * A leg as chunks of AI SDK's UI message stream, from its parts while it goes on, from its messages afterwards.
 *
 * I1. A request for approval has the id of the approval that a reviewer sees.
 * I2. What is not held as an approval asks for nothing.
 */
import type { ModelMessage, ToolModelMessage, UIMessageChunk } from "ai"
import { toUIMessageChunk } from "ai"
import type { LegPart } from "../loop/leg-ports.ts"
import type { RunApprovals } from "./run-approvals.ts"
import { wordOn } from "./run-approvals.ts"

/** Of a part of a leg under way. Requests for approval are not among them: their approvals are made when the leg ends. */
export function chunkOfPart(part: LegPart): UIMessageChunk | null {
  if (part.type === "start" || part.type === "finish" || isRequest(part)) return null
  const chunk = toUIMessageChunk(part, { onError: textOf, sendSources: true })
  if (chunk === undefined) return null
  return chunk.type === "tool-output-available" ? { ...chunk, output: plainOutput(chunk.output) } : chunk
}

export function isRequest(part: LegPart): part is Extract<LegPart, { type: "tool-approval-request" }> {
  return part.type === "tool-approval-request" && part.isAutomatic !== true
}

export function requestChunk(
  toolCallId: string,
  approvals: RunApprovals,
): Extract<UIMessageChunk, { type: "tool-approval-request" }> | null {
  const approval = approvals.get(toolCallId)
  if (approval === undefined) return null
  return { type: "tool-approval-request", approvalId: approval.id, toolCallId, reason: approval.why }
}

/** The answers that the calls have by now and that were not told before. */
export function answerChunks(
  calls: Iterable<string>,
  approvals: RunApprovals,
  told: Set<string>,
): ReadonlyArray<{ readonly toolCall: string; readonly chunk: UIMessageChunk }> {
  return [...calls].flatMap((toolCall) => {
    const approval = approvals.get(toolCall)
    const word = approval === undefined ? null : wordOn(approval)
    if (approval === undefined || word === null || told.has(approval.id)) return []
    told.add(approval.id)
    return [{ toolCall, chunk: { type: "tool-approval-response", approvalId: approval.id, ...word } }]
  })
}

/** Of a leg's messages. Answers to requests are left to `answerChunks`. */
export function chunksOfMessages(
  messages: readonly ModelMessage[],
  approvals: RunApprovals,
): readonly UIMessageChunk[] {
  let texts = 0
  const automatic = new Set<string>()
  return messages.flatMap((message): readonly UIMessageChunk[] => {
    if (message.role === "tool") return message.content.flatMap((part) => toolChunks(part, automatic))
    if (message.role !== "assistant") return []
    const { content } = message
    const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content
    return [{ type: "start-step" }, ...parts.flatMap(assistantChunks), { type: "finish-step" }]
  })

  function assistantChunks(part: Exclude<AssistantContent, string>[number]): readonly UIMessageChunk[] {
    switch (part.type) {
      case "text":
      case "reasoning": {
        if (part.text === "") return []
        texts += 1
        const id = String(texts)
        return [
          { type: `${part.type}-start`, id },
          { type: `${part.type}-delta`, id, delta: part.text },
          { type: `${part.type}-end`, id },
        ]
      }
      case "file":
        return typeof part.data === "string"
          ? [{ type: "file", mediaType: part.mediaType, url: `data:${part.mediaType};base64,${part.data}` }]
          : []
      case "tool-call": {
        const { toolCallId, toolName, input, providerExecuted } = part
        const where = providerExecuted === undefined ? {} : { providerExecuted }
        return [{ type: "tool-input-available", toolCallId, toolName, input, dynamic: true, ...where }]
      }
      case "tool-result":
        return [resultChunk(part.toolCallId, part.output)]
      case "tool-approval-request": {
        if (part.isAutomatic === true) {
          automatic.add(part.approvalId)
          const { approvalId, toolCallId } = part
          return [{ type: "tool-approval-request", approvalId, toolCallId, isAutomatic: true }]
        }
        const request = requestChunk(part.toolCallId, approvals)
        return request === null ? [] : [request]
      }
      default:
        return []
    }
  }
}

type AssistantContent = Extract<ModelMessage, { role: "assistant" }>["content"]
type ToolPart = ToolModelMessage["content"][number]

function toolChunks(part: ToolPart, automatic: ReadonlySet<string>): readonly UIMessageChunk[] {
  if (part.type === "tool-result") return [resultChunk(part.toolCallId, part.output)]
  if (part.type !== "tool-approval-response" || !automatic.has(part.approvalId)) return []
  const { approvalId, approved, reason } = part
  return [{ type: "tool-approval-response", approvalId, approved, ...(reason === undefined ? {} : { reason }) }]
}

type ResultOutput = Extract<ToolPart, { type: "tool-result" }>["output"]

function resultChunk(toolCallId: string, output: ResultOutput): UIMessageChunk {
  switch (output.type) {
    case "execution-denied":
      return { type: "tool-output-denied", toolCallId }
    case "error-text":
      return { type: "tool-output-error", toolCallId, errorText: output.value, dynamic: true }
    case "error-json":
      return { type: "tool-output-error", toolCallId, errorText: JSON.stringify(output.value), dynamic: true }
    default:
      return { type: "tool-output-available", toolCallId, output: output.value, dynamic: true }
  }
}

/** Tools give AI SDK what the model reads; pages get what is in it. */
function plainOutput(output: unknown): unknown {
  if (typeof output !== "object" || output === null || !("type" in output) || !("value" in output)) return output
  return output.type === "text" || output.type === "content" ? output.value : output
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
