import type { JsonObject, Requirement } from "@byleave/core"
import type { ModelMessage } from "ai"
import type { ModelCall } from "./run-calls.ts"

/** A call that the run waited for, as the model made it. */
export type OpenCall = { readonly requirement: Requirement; readonly call: ModelCall }

/** The calls that these requirements are about, where the messages have no results of them. */
export function openCalls(
  messages: readonly ModelMessage[],
  requirements: readonly Requirement[],
): readonly OpenCall[] {
  const made = new Map<string, ModelCall>()
  for (const part of partsOf(messages)) {
    if (part.type === "tool-call") made.set(part.toolCallId, { ...part, input: objectOf(part.input) })
    if (part.type === "tool-result") made.delete(part.toolCallId)
  }
  return requirements.flatMap((requirement) => {
    const call = made.get(requirement.toolCall)
    return call === undefined ? [] : [{ requirement, call }]
  })
}

const notRun = "This call did not run: the answer that made it was cut off. Make it again if it is still needed."

/** The same messages; calls of these tools that AI SDK left alone, as it does where an answer was cut off, have a result that says so. */
export function withResults(
  messages: readonly ModelMessage[],
  isOffered: (tool: string) => boolean,
): readonly ModelMessage[] {
  const settled = new Set<string>()
  for (const part of partsOf(messages)) {
    if (part.type === "tool-result" || part.type === "tool-approval-request") settled.add(part.toolCallId)
  }
  const left = [...partsOf(messages)].flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true && isOffered(part.toolName) ? [part] : [],
  )
  const content = left
    .filter(({ toolCallId }) => !settled.has(toolCallId))
    .map(({ toolCallId, toolName }) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName,
      output: { type: "error-text" as const, value: notRun },
    }))
  return content.length === 0 ? messages : [...messages, { role: "tool", content }]
}

function* partsOf(messages: readonly ModelMessage[]) {
  for (const { role, content } of messages) {
    if ((role === "assistant" || role === "tool") && typeof content !== "string") yield* content
  }
}

export function objectOf(input: unknown): JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as JsonObject) : {}
}
