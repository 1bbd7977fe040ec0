type Urgency = "none" | "soon" | "now" | "over"

export const soonMs = 5 * 60_000
export const nowMs = 60_000

/** How pressing a call is that waits until then; null: for ever. */
export function urgencyOf(expiresAt: number | null, now: number): Urgency {
  if (expiresAt === null || expiresAt - now > soonMs) return "none"
  if (expiresAt <= now) return "over"
  return expiresAt - now <= nowMs ? "now" : "soon"
}

/** When a waiting call ends by itself. */
export function endOf(call: { readonly status: string; readonly expiresAt?: number | null }): number | null {
  return call.status === "pending" ? (call.expiresAt ?? null) : null
}
