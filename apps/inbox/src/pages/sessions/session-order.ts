import type { SessionView } from "@byleave/api"

/** Sessions that are not over, those that want eyes first: out of the ordinary, then waiting, then last seen; at the end those whose program has just left. */
export function liveInOrder(sessions: readonly SessionView[]): readonly SessionView[] {
  return sessions.filter(isLive).toSorted((one, other) => rank(other) - rank(one) || seen(other) - seen(one))
}

/** One that ended and called again is live; one whose program has just left is shown as that. */
function isLive({ endedAt, waiting, connection }: SessionView): boolean {
  return endedAt === null || waiting > 0 || connection.state === "gone"
}

function rank({ mode, waiting, connection }: SessionView): number {
  if (mode !== "ask") return 2
  if (waiting > 0) return 1
  return connection.state === "gone" ? -1 : 0
}

function seen({ lastSeenAt, startedAt }: SessionView): number {
  return lastSeenAt ?? startedAt ?? 0
}
