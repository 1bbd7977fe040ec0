import { type Approval, type Change, type CommitResult, type HeldExcess, summaryOf } from "@byleave/core"

/** How much waits. */
export type HeldCount = { readonly calls: number; readonly bytes: number }

/** What waits now, where one more call would wait. */
export type WaitingCounts = {
  readonly session: HeldCount
  readonly principal: HeldCount
  readonly all: HeldCount
}

type Excess = CommitResult & { readonly conflict: "limit" }

/** Whether a change holds more than may wait; `countsFor` is asked only where there is a limit. */
export function heldConflict(change: Change, countsFor: (approval: Approval) => WaitingCounts): Excess | null {
  const { within } = change
  if (within === undefined) return null
  for (const { next, replaces } of change.approvals ?? []) {
    if (replaces !== null || next.status !== "pending") continue
    const excess = excessOf(within, countsFor(next), summaryOf(next).bytes)
    if (excess !== null) return { ok: false, conflict: "limit", id: null, excess }
  }
  return null
}

function excessOf(within: NonNullable<Change["within"]>, counts: WaitingCounts, bytes: number): HeldExcess | null {
  const limits = [
    ["session", "calls", within.perSession?.calls],
    ["principal", "calls", within.perPrincipal?.calls],
    ["principal", "bytes", within.perPrincipal?.bytes],
    ["all", "calls", within.inAll?.calls],
    ["all", "bytes", within.inAll?.bytes],
  ] as const
  for (const [of, what, most] of limits) {
    const used = counts[of][what]
    if (most !== undefined && used + (what === "calls" ? 1 : bytes) > most) return { of, what, most, used }
  }
  return null
}
