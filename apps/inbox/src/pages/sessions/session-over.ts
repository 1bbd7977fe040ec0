import type { SessionView } from "@byleave/api"

/** Whether a session has ended and its agent has not called since: then nothing can be done to it. */
export function isOver({
  endedAt,
  lastSeenAt,
  waiting,
}: Pick<SessionView, "endedAt" | "lastSeenAt" | "waiting">): boolean {
  return endedAt !== null && waiting === 0 && (lastSeenAt === null || lastSeenAt <= endedAt)
}
