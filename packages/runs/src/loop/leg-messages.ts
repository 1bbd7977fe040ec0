/** Messages between the journal and AI SDK: the answers of reviewers on the way in, the words of the model on the way out. */
import type { ReadResult } from "@byleave/core"
import type { ModelMessage, ToolModelMessage } from "ai"
import { openRequests } from "../journal/open-requests.ts"
import type { LegPart, LegPorts } from "./leg-ports.ts"

/** The answer to a call that the run waited for, in the form for AI SDK. */
export type RequirementAnswer = { readonly toolCall: string; readonly approved: boolean; readonly reason?: string }

/** All answers in one message: AI SDK takes whole batches only. */
export function resumeMessages(
  messages: readonly ModelMessage[],
  answers: readonly RequirementAnswer[],
): readonly ToolModelMessage[] {
  const open = openRequests(messages)
  const content = answers.flatMap(({ toolCall, approved, reason }) => {
    const approvalId = open.get(toolCall)
    if (approvalId === undefined) return []
    const said = reason === undefined || reason === "" ? {} : { reason }
    return [{ type: "tool-approval-response" as const, approvalId, approved, ...said }]
  })
  return content.length === 0 ? [] : [{ role: "tool", content }]
}

/** A call with its arguments as the model wrote them: AI SDK rounds numbers. */
export function asWritten(part: LegPart, argsOf: (toolCall: string) => ReadResult | undefined): LegPart {
  const read = part.type === "tool-call" ? argsOf(part.toolCallId) : undefined
  return part.type === "tool-call" && read?.ok === true ? ({ ...part, input: read.value } as LegPart) : part
}

/** The model's message, as the journal of its answers has it. */
export function redactedMessage<Message extends ModelMessage>(
  message: Message,
  redactText: LegPorts["redactText"],
): Message {
  if (message.role !== "assistant") return message
  const { content } = message
  if (typeof content === "string") return { ...message, content: redactText(content) }
  const parts = content.map((part) =>
    part.type === "text" || part.type === "reasoning" ? { ...part, text: redactText(part.text) } : part,
  )
  return { ...message, content: parts }
}
