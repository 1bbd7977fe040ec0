import {
  type Approval,
  type Change,
  type CommitResult,
  type HeldExcess,
  type HeldLimits,
  isRunPrincipal,
  summaryOf,
} from "@byleave/core"

/** How much waits. */
export type HeldCount = { readonly calls: number; readonly bytes: number }

/** What waits now, where one more call would wait. */
export type WaitingCounts = {
  readonly session: HeldCount
  readonly principal: HeldCount
  /** Of all agents: calls of runs are not among them. */
  readonly all: HeldCount
}

/** Whether it counts for what may wait in all. */
export function isOfAgent({ principal }: Pick<Approval, "principal">): boolean {
  return !isRunPrincipal(principal.id)
}

type Excess = CommitResult & { readonly conflict: "limit" }

/** Whether a change holds more than may wait; `countsFor` is asked only where there is a limit. */
export function heldConflict(change: Change, countsFor: (approval: Approval) => WaitingCounts): Excess | null {
  const { within } = change
  if (within === undefined) return null
  for (const { next, replaces } of change.approvals ?? []) {
    if (replaces !== null || next.status !== "pending") continue
    const excess = excessOf(isOfAgent(next) ? within : ofRun(within), countsFor(next), summaryOf(next).bytes)
    if (excess !== null) return { ok: false, conflict: "limit", id: null, excess }
  }
  return null
}

function ofRun({ inAll: _, ...within }: HeldLimits): HeldLimits {
  return within
}

function excessOf(within: HeldLimits, counts: WaitingCounts, bytes: number): HeldExcess | null {
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
