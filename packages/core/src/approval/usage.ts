/**
 * What agents did lately, for the limits.
 *
 * I1. Never less than what happened: buckets, forgotten agents and clocks that step back all round against the caller.
 * I2. Bounded, whatever callers there are: a principal that is not remembered counts as having done lately at least
 *     what the busiest forgotten one did.
 * I3. What was done lately is the principal's, all its sessions together: a new session, which an agent has for the
 *     asking, frees nothing. Only the total of a session is the session's own.
 */
import type { EpochMs } from "../call/call.ts"
import type { Usage } from "../policy/decision.ts"
import type { Limits } from "../policy/rule.ts"
import { addToWindow, countInWindow, raiseWindow, type WindowCounter, windowCounter } from "./window-counter.ts"

/** A call that is about to run. */
export type Noted = {
  /** False where a person approved it: then it only counts as a write or starts a cool-down. Absent: true. */
  readonly autoAllowed?: boolean
  readonly write: boolean
  readonly coolDown: boolean
}

/** Who calls: the session by its key, and the principal it belongs to. */
export type UsageKey = { readonly principal: string; readonly session: string }

export type UsageTracker = {
  readonly note: (by: UsageKey, call: Noted, now: EpochMs) => void
  /** `recorded` is the session's total as the store has it; it outlives this process and forgotten sessions. */
  readonly usageOf: (by: UsageKey, now: EpochMs, recorded?: number) => Usage
  /** Other limits from now on; what was counted stays counted. */
  readonly replaceLimits: (limits: UsageLimits) => void
}

export type UsageLimits = Pick<Limits, "coolDown" | "bulk">

type PrincipalUse = {
  minute: WindowCounter
  writes: WindowCounter
  coolDownUntil: EpochMs
}

const minuteMs = 60_000

export function createUsageTracker(limits: UsageLimits, most = 10_000): UsageTracker {
  let { coolDown, bulk } = limits
  // Oldest use first: whoever is noted moves to the end.
  const principals = new Map<string, PrincipalUse>()
  const totals = new Map<string, number>()
  const forgotten = newUse(writeWindow(bulk))
  let latest = 0

  function timeOf(now: EpochMs): EpochMs {
    if (now > latest) latest = now
    return latest
  }

  function remember(principal: string, at: EpochMs): PrincipalUse {
    const known = principals.get(principal)
    const use = known ?? newUse(writeWindow(bulk))
    if (known === undefined) raiseUse(use, forgotten, at)
    else principals.delete(principal)
    principals.set(principal, use)
    if (principals.size > most) forgetOldest(at)
    return use
  }

  function forgetOldest(at: EpochMs): void {
    const [oldest] = principals
    if (oldest === undefined) return
    principals.delete(oldest[0])
    raiseUse(forgotten, oldest[1], at)
  }

  /** A forgotten total is the store's to remember. */
  function addToTotal(session: string): void {
    const total = (totals.get(session) ?? 0) + 1
    totals.delete(session)
    totals.set(session, total)
    const [oldest] = totals.size > most ? totals.keys() : []
    if (oldest !== undefined) totals.delete(oldest)
  }

  return {
    note: ({ principal, session }, call, now) => {
      const at = timeOf(now)
      const use = remember(principal, at)
      if (call.autoAllowed !== false) {
        addToTotal(session)
        addToWindow(use.minute, at)
      }
      if (call.write) addToWindow(use.writes, at)
      if (call.coolDown && coolDown !== undefined) {
        use.coolDownUntil = Math.max(use.coolDownUntil, at + coolDown.forMs)
      }
    },
    usageOf: ({ principal, session }, now, recorded = 0) => {
      const at = timeOf(now)
      const use = principals.get(principal) ?? forgotten
      return {
        autoAllowedInSession: Math.max(totals.get(session) ?? 0, recorded),
        autoAllowedInMinute: countInWindow(use.minute, at),
        writesInWindow: countInWindow(use.writes, at),
        coolDownUntil: use.coolDownUntil > at ? use.coolDownUntil : null,
      }
    },
    replaceLimits: (next) => {
      ;({ coolDown, bulk } = next)
      for (const use of [forgotten, ...principals.values()]) rewindow(use, writeWindow(bulk), latest)
    },
  }
}

function writeWindow(bulk: Limits["bulk"]): number {
  return bulk?.withinMs ?? minuteMs
}

function newUse(writeWindowMs: number): PrincipalUse {
  return { minute: windowCounter(minuteMs), writes: windowCounter(writeWindowMs), coolDownUntil: 0 }
}

function raiseUse(use: PrincipalUse, other: PrincipalUse, at: EpochMs): void {
  raiseWindow(use.minute, other.minute, at)
  raiseWindow(use.writes, other.writes, at)
  use.coolDownUntil = Math.max(use.coolDownUntil, other.coolDownUntil)
}

/** In a window of another length, what was counted in the old one counts as done just now. */
function rewindow(use: PrincipalUse, windowMs: number, at: EpochMs): void {
  if (use.writes.windowMs === windowMs) return
  const writes = windowCounter(windowMs)
  addToWindow(writes, at, countInWindow(use.writes, at))
  use.writes = writes
}
