import type { Approval } from "./approval.ts"
import type { Reviewer } from "./approval-event.ts"

/** Whether an answer given in the agent's client may count: never for what is asked every time, of several people or of a group. */
export function mayBeDecidedInClient({ remember, needs }: Pick<Approval, "remember" | "needs">): boolean {
  return remember !== "never" && needs.approvals === 1 && needs.groups.length === 0
}

/** The reviewer under whose name an answer in the client is recorded. A form does not prove that a person answered. */
export function answeredInClient({ principal }: Pick<Approval, "principal">): {
  readonly reviewer: Reviewer
  readonly reason: string
} {
  return {
    reviewer: { id: `client:${principal.id}`, groups: [] },
    reason: "answered in the client, person unverified",
  }
}
