import type { ApprovalSummaryView } from "@byleave/api"
import type { ChatMessage } from "./chat-messages.ts"

/** The approvals of a thread that wait, in the order the model made the calls. */
export function waitingCalls(
  messages: readonly ChatMessage[],
  approvals: ReadonlyMap<string, ApprovalSummaryView>,
): readonly ApprovalSummaryView[] {
  const calls = messages.flatMap((message) => (message.kind === "reply" ? message.parts : []))
  return calls.flatMap((part) => {
    const approval = part.kind === "call" ? approvals.get(part.call.toolCall) : undefined
    return approval?.status === "pending" ? [approval] : []
  })
}

/** Brings the card of a call into view, with the focus on it. */
export function showRequest(scroll: HTMLElement | null, id: string): void {
  const card = scroll?.querySelector<HTMLElement>(`[data-request="${CSS.escape(id)}"]`)
  if (card == null) return
  card.tabIndex = -1
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"
  card.scrollIntoView({ block: "start", behavior })
  card.focus({ preventScroll: true })
}
