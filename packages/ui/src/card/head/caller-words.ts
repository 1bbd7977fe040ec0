import type { ApprovalSummaryView, SessionView } from "@byleave/api"
import { connectionWords } from "@byleave/api/page"

type Presence = Pick<SessionView, "connection" | "lastSeenAt">

/** Whether the agent has left while its call waits: the service withdraws the call soon. */
export function isCallerGone(
  { status, callerWaits }: Pick<ApprovalSummaryView, "status" | "callerWaits">,
  session: Pick<SessionView, "connection"> | null,
): boolean {
  return status === "pending" && !callerWaits && session?.connection.state === "gone"
}

/** Follows when a waiting call was asked: whether anybody waits for the answer, and what becomes of a yes where nobody does. */
export function callerWords(callerWaits: boolean, session: Presence | null, ago: (at: number) => string): string {
  if (callerWaits) return ", waiting for the result"
  if (session === null) return "; the agent is not waiting, so an approval applies to its next identical call"
  const words = connectionWords(session, ago)
  return session.connection.state === "gone"
    ? `; the agent ${words}: this call is withdrawn unless it reconnects within seconds`
    : `; the agent is not waiting (${words}), so an approval applies to its next identical call`
}

/** Whether nobody waits for what becomes of a call that waits. A run takes its calls up by itself. */
export function isCallerAway({
  status,
  callerWaits,
  run,
}: Pick<ApprovalSummaryView, "status" | "callerWaits" | "run">): boolean {
  return status === "pending" && !callerWaits && run === undefined
}

/** For whoever is about to allow such a call. */
export const callerAwayNote = "The agent is not waiting: if you allow this, it runs when the agent repeats the call."
