import type { EpochMs } from "@byleave/core"
import { createSteadyTime, type Elapsed } from "../steady-time.ts"

/**
 * The server's time, worked out from the local clock.
 *
 * I1. Never before anything that was recorded or read; it goes on from there with the time that passes.
 * I2. A difference too small to be told from the journey of the question counts as none.
 */
export type ServerClock = {
  readonly now: (local: EpochMs) => EpochMs
  /** One look at the server's clock, and when by the local clock the question left and the answer came. */
  readonly observe: (server: EpochMs, asked: EpochMs, answered: EpochMs) => void
  readonly saw: (at: EpochMs) => void
}

/** An old measurement gives way to a less exact one: clocks drift. */
const trustedForMs = 60_000

export function createServerClock(elapsed: Elapsed): ServerClock {
  const time = createSteadyTime(elapsed)
  let offset = 0
  let uncertainty = Number.POSITIVE_INFINITY
  let measuredAt = Number.NEGATIVE_INFINITY
  return {
    now: (local) => time.now(local + offset),
    observe: (server, asked, answered) => {
      const doubt = Math.max(0, answered - asked) / 2 + 1
      const old = answered - measuredAt > trustedForMs || answered < measuredAt
      if (doubt > uncertainty && !old) return
      const difference = server - (asked + answered) / 2
      offset = Math.abs(difference) <= doubt ? 0 : Math.round(difference)
      uncertainty = doubt
      measuredAt = answered
    },
    saw: time.saw,
  }
}
