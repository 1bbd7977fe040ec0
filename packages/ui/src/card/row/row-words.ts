export type Urgency = "none" | "soon" | "now" | "over"

const soon = 10 * 60_000
const now = 60_000

/** How near the end of a wait is. */
export function urgencyOf(expiresAt: number | null, time: number): Urgency {
  if (expiresAt === null) return "none"
  const left = expiresAt - time
  if (left <= 0) return "over"
  return left <= now ? "now" : left <= soon ? "soon" : "none"
}
