/**
 * Counts what happened within a sliding window, in a fixed number of buckets. A value that is stored as JSON: adding gives a new one.
 *
 * I1. The count is never less than what happened within the window; it may hold up to a sixteenth of a window more.
 * I2. A time before the newest one counts as the newest: a clock that steps back frees nothing.
 */
import type { EpochMs } from "../../call/call.ts"

export type WindowCounter = {
  readonly windowMs: number
  /** The number of the newest bucket that counts something: its time divided by the width of a bucket. */
  readonly newest: number
  /** The count of each bucket, the newest first. */
  readonly counts: readonly number[]
}

const bucketsPerWindow = 16
/** One more than fill the window: the oldest lies in it only in part, and counts in full. */
const mostBuckets = bucketsPerWindow + 1

export function newWindow(windowMs: number): WindowCounter {
  return { windowMs, newest: 0, counts: [] }
}

export function addToWindow(counter: WindowCounter, at: EpochMs, amount = 1): WindowCounter {
  const passed = bucketsPassed(counter, at)
  const kept = counter.counts.slice(0, Math.max(0, mostBuckets - passed))
  const between = passed > 0 && kept.length > 0 ? new Array<number>(passed - 1).fill(0) : []
  const newest = counter.newest + passed
  if (passed > 0 || kept.length === 0) return { ...counter, newest, counts: [amount, ...between, ...kept] }
  return { ...counter, counts: kept.map((count, place) => (place === 0 ? count + amount : count)) }
}

/** Within all of the window, or the last part of it. */
export function countInWindow(counter: WindowCounter, at: EpochMs, withinMs = counter.windowMs): number {
  const needed = Math.min(mostBuckets, Math.ceil(withinMs / widthOf(counter)) + 1)
  const open = needed - bucketsPassed(counter, at)
  let count = 0
  for (let place = 0; place < open; place++) count += counter.counts[place] ?? 0
  return count
}

/** From then on it counts nothing. */
export function windowEnd(counter: WindowCounter): EpochMs {
  return (counter.newest + mostBuckets) * widthOf(counter)
}

function bucketsPassed(counter: WindowCounter, at: EpochMs): number {
  const passed = Math.floor(at / widthOf(counter)) - counter.newest
  return passed > 0 ? passed : 0
}

function widthOf({ windowMs }: WindowCounter): number {
  return Math.max(1, Math.ceil(windowMs / bucketsPerWindow))
}
