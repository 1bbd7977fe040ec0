/**
 * What sessions did lately, for the limits.
 *
 * I1. Never less than what happened: buckets, forgotten sessions and clocks that step back all round against the caller.
 * I2. Bounded, whatever sessions agents name: a session that is not remembered counts as having done lately at least
 *     what the busiest forgotten one did.
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

export type UsageTracker = {
  readonly note: (sessionKey: string, call: Noted, now: EpochMs) => void
  /** `recorded` is the session's total as the store has it; it outlives this process and forgotten sessions. */
  readonly usageOf: (sessionKey: string, now: EpochMs, recorded?: number) => Usage
  /** Other limits from now on; what was counted stays counted. */
  readonly replaceLimits: (limits: UsageLimits) => void
}

export type UsageLimits = Pick<Limits, "coolDown" | "bulk">

type SessionUse = {
  inSession: number
  minute: WindowCounter
  writes: WindowCounter
  coolDownUntil: EpochMs
}

const minuteMs = 60_000

export function createUsageTracker(limits: UsageLimits, mostSessions = 10_000): UsageTracker {
  let { coolDown, bulk } = limits
  // Oldest use first: a session moves to the end with every note.
  const sessions = new Map<string, SessionUse>()
  const forgotten = newUse(writeWindow(bulk))
  let latest = 0

  function timeOf(now: EpochMs): EpochMs {
    if (now > latest) latest = now
    return latest
  }

  function remember(key: string, at: EpochMs): SessionUse {
    const known = sessions.get(key)
    const use = known ?? newUse(writeWindow(bulk))
    if (known === undefined) raiseUse(use, forgotten, at)
    else sessions.delete(key)
    sessions.set(key, use)
    if (sessions.size > mostSessions) forgetOldest(at)
    return use
  }

  function forgetOldest(at: EpochMs): void {
    const [oldest] = sessions
    if (oldest === undefined) return
    sessions.delete(oldest[0])
    raiseUse(forgotten, oldest[1], at)
  }

  return {
    note: (key, call, now) => {
      const at = timeOf(now)
      const use = remember(key, at)
      if (call.autoAllowed !== false) {
        use.inSession += 1
        addToWindow(use.minute, at)
      }
      if (call.write) addToWindow(use.writes, at)
      if (call.coolDown && coolDown !== undefined) {
        use.coolDownUntil = Math.max(use.coolDownUntil, at + coolDown.forMs)
      }
    },
    usageOf: (key, now, recorded = 0) => {
      const at = timeOf(now)
      const use = sessions.get(key) ?? forgotten
      return {
        autoAllowedInSession: Math.max(use.inSession, recorded),
        autoAllowedInMinute: countInWindow(use.minute, at),
        writesInWindow: countInWindow(use.writes, at),
        coolDownUntil: use.coolDownUntil > at ? use.coolDownUntil : null,
      }
    },
    replaceLimits: (next) => {
      ;({ coolDown, bulk } = next)
      for (const use of [forgotten, ...sessions.values()]) rewindow(use, writeWindow(bulk), latest)
    },
  }
}

function writeWindow(bulk: Limits["bulk"]): number {
  return bulk?.withinMs ?? minuteMs
}

function newUse(writeWindowMs: number): SessionUse {
  return { inSession: 0, minute: windowCounter(minuteMs), writes: windowCounter(writeWindowMs), coolDownUntil: 0 }
}

/** The total of a session is not among it: that is the store's to remember. */
function raiseUse(use: SessionUse, other: SessionUse, at: EpochMs): void {
  raiseWindow(use.minute, other.minute, at)
  raiseWindow(use.writes, other.writes, at)
  use.coolDownUntil = Math.max(use.coolDownUntil, other.coolDownUntil)
}

/** In a window of another length, what was counted in the old one counts as done just now. */
function rewindow(use: SessionUse, windowMs: number, at: EpochMs): void {
  if (use.writes.windowMs === windowMs) return
  const writes = windowCounter(windowMs)
  addToWindow(writes, at, countInWindow(use.writes, at))
  use.writes = writes
}
