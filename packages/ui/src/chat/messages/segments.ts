import type { ApprovalSummaryView } from "@byleave/api"
import type { TurnCall } from "../../run/story-turns.ts"
import type { CallPart, ChatPart, ReasoningPart, TextPart } from "./chat-messages.ts"

export type MessageSegment =
  | TextPart
  | ReasoningPart
  | { readonly kind: "calls"; readonly key: string; readonly calls: readonly CallPart[] }
  | { readonly kind: "request"; readonly key: string; readonly call: TurnCall; readonly approval: ApprovalSummaryView }

/** Calls that nobody is asked about stand together as lines; one that waits stands by itself, as its card. */
export function segmentsOf(
  parts: readonly ChatPart[],
  approvals: ReadonlyMap<string, ApprovalSummaryView>,
): readonly MessageSegment[] {
  const segments: MessageSegment[] = []
  for (const part of parts) {
    if (part.kind !== "call") {
      segments.push(part)
      continue
    }
    const approval = approvals.get(part.call.toolCall)
    const last = segments.at(-1)
    if (approval?.status === "pending") {
      segments.push({ kind: "request", key: part.key, call: part.call, approval })
    } else if (last?.kind === "calls") {
      segments[segments.length - 1] = { ...last, calls: [...last.calls, part] }
    } else {
      segments.push({ kind: "calls", key: `calls from ${part.key}`, calls: [part] })
    }
  }
  return segments
}
