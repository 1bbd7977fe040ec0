import {
  type AgentRun,
  type Approval,
  type Change,
  type CommitResult,
  type HeldCount,
  type HeldExcess,
  type HeldLimits,
  isRunPrincipal,
  summaryOf,
} from "@byleave/core"
import { heldOf } from "./run-facts.ts"

/** The counts of waiting calls, where one more call would wait. */
export type WaitingCounts = {
  readonly session: HeldCount
  readonly principal: HeldCount
  /** Of all agents that its credential names. */
  readonly program: HeldCount
  /** Of all agents: calls of runs are not among them. */
  readonly all: HeldCount
}

/** Whether it counts for what may wait in all. */
export function isOfAgent({ principal }: Pick<Approval, "principal">): boolean {
  return !isRunPrincipal(principal.id)
}

type Excess = CommitResult & { readonly conflict: "limit" }

/** Waiting calls, as a store counts them; used only if there is a limit. */
export type HeldCounter = {
  readonly around: (approval: Approval) => WaitingCounts
  /** The waiting calls of the other paused runs of its starter. */
  readonly ofStarter: (run: AgentRun) => HeldCount
}

/** Whether a change holds more than may wait. */
export function heldConflict(change: Change, counter: HeldCounter): Excess | null {
  const { within } = change
  if (within === undefined) return null
  const { ofRuns, ...ofCalls } = within
  const excess =
    callsConflict(change, ofCalls, counter) ?? (ofRuns === undefined ? null : pauseConflict(change, ofRuns, counter))
  return excess === null ? null : { ok: false, conflict: "limit", id: null, excess }
}

function pauseConflict(
  { runs = [] }: Change,
  { perRun, perStarter }: NonNullable<HeldLimits["ofRuns"]>,
  { ofStarter }: HeldCounter,
): HeldExcess | null {
  const none = { calls: 0, bytes: 0 }
  for (const write of runs) {
    if (!("next" in write) || write.next.status !== "paused") continue
    const more = heldOf(write.next)
    const excess = beyond("run", none, more, perRun) ?? beyond("starter", ofStarter(write.next), more, perStarter)
    if (excess !== null) return excess
  }
  return null
}

function beyond(of: HeldExcess["of"], used: HeldCount, more: HeldCount, most: HeldCount): HeldExcess | null {
  for (const what of ["calls", "bytes"] as const) {
    if (more[what] > 0 && used[what] + more[what] > most[what]) return { of, what, most: most[what], used: used[what] }
  }
  return null
}

function callsConflict(change: Change, within: HeldLimits, { around }: HeldCounter): HeldExcess | null {
  if (Object.keys(within).length === 0) return null
  for (const { next, replaces } of change.approvals ?? []) {
    if (replaces !== null || next.status !== "pending") continue
    const excess = excessOf(isOfAgent(next) ? within : ofRun(within), around(next), summaryOf(next).bytes)
    if (excess !== null) return excess
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
    ["program", "calls", within.perProgram?.calls],
    ["program", "bytes", within.perProgram?.bytes],
    ["all", "calls", within.inAll?.calls],
    ["all", "bytes", within.inAll?.bytes],
  ] as const
  for (const [of, what, most] of limits) {
    const used = counts[of][what]
    if (most !== undefined && used + (what === "calls" ? 1 : bytes) > most) return { of, what, most, used }
  }
  return null
}
