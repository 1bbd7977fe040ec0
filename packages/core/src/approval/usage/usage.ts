/**
 * The recent activity of agents, counted for the limits. Stores keep the counts and update them in the commit of the
 * call; this file defines how.
 *
 * I1. Never less than what happened: buckets and clocks that step back round against the caller.
 * I2. Bounded: a fixed number of buckets per principal, a number per session, and a time from which each can be forgotten.
 * I3. What was done lately is the principal's, all its sessions together: a new session, which an agent has for the
 *     asking, frees nothing. Only the total of a session is the session's own.
 */
import type { EpochMs } from "../../call/call.ts"
import type { Usage } from "../../policy/decide/decision.ts"
import { exceededLimit, type UsageLimits } from "../../policy/decide/exceeded-limit.ts"
import { addToWindow, countInWindow, newWindow, type WindowCounter, windowEnd } from "./window-counter.ts"

/** The counters that a call about to run adds to. */
export type CallUse = {
  /** All agents that one credential names count together. */
  readonly principal: string
  /** Adds to the total of this session. */
  readonly session?: string
  /** Adds to the calls that ran unasked. */
  readonly isUnasked?: true
  /** Adds to the writes within this time. */
  readonly writeWithinMs?: number
  /** Starts a cool-down this long. */
  readonly coolDownMs?: number
  /** Only if no limit is reached; absent: a person approved it. */
  readonly within?: UsageLimits
}

export type PrincipalCounts = {
  readonly minute: WindowCounter
  readonly day: WindowCounter
  readonly writes: WindowCounter
  readonly coolDownUntil: EpochMs
}

export type SessionTotal = { readonly total: number; readonly forgetAt: EpochMs }

/** The stored counts of the principal and the session of a use; undefined: none. */
export type UsageCounts = {
  readonly principal: PrincipalCounts | undefined
  readonly session: SessionTotal | undefined
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** A session that has run nothing unasked for so long is forgotten. */
const sessionKeptMs = 30 * dayMs

/** The counts before this use, if they have reached its limits; null: it may run. */
export function usageBeyond(use: CallUse, counts: UsageCounts, at: EpochMs): Usage | null {
  if (use.within === undefined) return null
  const usage = usageOf(counts, use, at)
  return exceededLimit(use.within, usage, use.writeWithinMs !== undefined, at) === null ? null : usage
}

function usageOf({ principal, session }: UsageCounts, { writeWithinMs }: CallUse, at: EpochMs): Usage {
  const autoAllowedInSession = session === undefined || session.forgetAt <= at ? 0 : session.total
  const { minute, day, writes, coolDownUntil } = principal ?? noCounts
  return {
    autoAllowedInSession,
    autoAllowedInDay: countInWindow(day, at),
    autoAllowedInMinute: countInWindow(minute, at),
    writesInWindow: countInWindow(writes, at, writeWithinMs),
    coolDownUntil: coolDownUntil > at ? coolDownUntil : null,
  }
}

const noCounts: PrincipalCounts = {
  minute: newWindow(minuteMs),
  day: newWindow(dayMs),
  writes: newWindow(minuteMs),
  coolDownUntil: 0,
}

/** Whether there is anything to keep of this use. */
export function isCounted({ isUnasked, writeWithinMs, coolDownMs }: CallUse): boolean {
  return isUnasked === true || writeWithinMs !== undefined || coolDownMs !== undefined
}

export function addUse(counts: PrincipalCounts | undefined, use: CallUse, at: EpochMs): PrincipalCounts {
  const { minute, day, writes, coolDownUntil } = counts ?? noCounts
  const { isUnasked, writeWithinMs, coolDownMs } = use
  return {
    minute: isUnasked === true ? addToWindow(minute, at) : minute,
    day: isUnasked === true ? addToWindow(day, at) : day,
    writes: writeWithinMs === undefined ? writes : addToWindow(rewindow(writes, writeWithinMs, at), at),
    coolDownUntil: coolDownMs === undefined ? coolDownUntil : Math.max(coolDownUntil, at + coolDownMs),
  }
}

export function addToTotal(session: SessionTotal | undefined, at: EpochMs): SessionTotal {
  const total = session === undefined || session.forgetAt <= at ? 0 : session.total
  return { total: total + 1, forgetAt: Math.max(session?.forgetAt ?? 0, at + sessionKeptMs) }
}

/** From then on these counts are as good as none. */
export function forgetCountsAt({ minute, day, writes, coolDownUntil }: PrincipalCounts): EpochMs {
  return Math.max(windowEnd(minute), windowEnd(day), windowEnd(writes), coolDownUntil)
}

/** In a window of another length, what the old one counted within it counts as done just now. */
function rewindow(writes: WindowCounter, windowMs: number, at: EpochMs): WindowCounter {
  if (writes.windowMs === windowMs) return writes
  const before = countInWindow(writes, at, windowMs)
  return before === 0 ? newWindow(windowMs) : addToWindow(newWindow(windowMs), at, before)
}
