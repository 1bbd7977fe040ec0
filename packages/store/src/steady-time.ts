import type { EpochMs } from "@byleave/core"

/**
 * The store's time, whatever the local clock says.
 *
 * I1. Never before anything that was recorded, and it never goes back while the local clock stays where it is.
 * I2. While the local clock is behind, it goes on with the time that passes: what is to end after some time ends.
 */
export type SteadyTime = {
  readonly now: (local: EpochMs) => EpochMs
  /** Something was recorded at this time. */
  readonly saw: (at: EpochMs) => void
}

/** Milliseconds that have passed since some moment; unlike a clock it is never set. */
export type Elapsed = () => number

export const elapsedHere: Elapsed = () => performance.now()

export function createSteadyTime(elapsed: Elapsed): SteadyTime {
  let latest = Number.NEGATIVE_INFINITY
  let seenAt = elapsed()
  const since = (): EpochMs => latest + Math.floor(elapsed() - seenAt)
  return {
    now: (local) => Math.max(local, since()),
    saw: (at) => {
      if (at <= since()) return
      latest = at
      seenAt = elapsed()
    },
  }
}
