import type { ModelMessage } from "ai"

/** The calls that were asked about and have no result yet, as the messages tell it: the id of the question by that of the call. */
export function openRequests(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
  const open = new Map<string, string>()
  noteRequests(open, messages)
  return open
}

/** Adds the approval requests in these messages to the open ones, and removes those with results. */
export function noteRequests(open: Map<string, string>, messages: readonly ModelMessage[]): void {
  for (const { role, content } of messages) {
    if (typeof content === "string") continue
    for (const part of content) {
      if (role === "assistant" && part.type === "tool-approval-request") open.set(part.toolCallId, part.approvalId)
      if (part.type === "tool-result") open.delete(part.toolCallId)
    }
  }
}
