import type { SessionView } from "@byleave/api"

/** Sessions that are not over, those that want eyes first: out of the ordinary, then waiting, then last seen. */
export function liveInOrder(sessions: readonly SessionView[]): readonly SessionView[] {
  return sessions.filter(isLive).toSorted((one, other) => rank(other) - rank(one) || seen(other) - seen(one))
}

/** One that ended and called again is live. */
function isLive({ endedAt, waiting }: SessionView): boolean {
  return endedAt === null || waiting > 0
}

function rank({ mode, waiting }: SessionView): number {
  if (mode !== "ask") return 2
  return waiting > 0 ? 1 : 0
}

function seen({ lastSeenAt, startedAt }: SessionView): number {
  return lastSeenAt ?? startedAt ?? 0
}
