/**
 * Counts what happened within a sliding window, in a fixed number of buckets. Needs time that only goes forward; the owner sees to that.
 *
 * I1. The count is never less than what happened within the window; it may hold up to a sixteenth of a window more.
 */
export type WindowCounter = {
  readonly windowMs: number
  readonly widthMs: number
  /** The count of each bucket; the place of bucket `n` is `n` modulo their number. */
  readonly counts: number[]
  newest: number
  total: number
}

const bucketsPerWindow = 16

export function windowCounter(windowMs: number): WindowCounter {
  const widthMs = Math.max(1, Math.ceil(windowMs / bucketsPerWindow))
  // One more than fill the window: the oldest lies in it only in part, and counts in full.
  return { windowMs, widthMs, counts: new Array<number>(bucketsPerWindow + 1).fill(0), newest: 0, total: 0 }
}

export function addToWindow(counter: WindowCounter, now: number, amount = 1): void {
  moveTo(counter, now)
  const place = counter.newest % counter.counts.length
  counter.counts[place] = (counter.counts[place] ?? 0) + amount
  counter.total += amount
}

export function countInWindow(counter: WindowCounter, now: number): number {
  moveTo(counter, now)
  return counter.total
}

/** Makes every bucket of `counter` at least what `other`, of the same window, has there. */
export function raiseWindow(counter: WindowCounter, other: WindowCounter, now: number): void {
  moveTo(counter, now)
  moveTo(other, now)
  other.counts.forEach((count, place) => {
    const raised = Math.max(counter.counts[place] ?? 0, count)
    counter.total += raised - (counter.counts[place] ?? 0)
    counter.counts[place] = raised
  })
}

function moveTo(counter: WindowCounter, now: number): void {
  const bucket = Math.floor(now / counter.widthMs)
  const passed = Math.min(bucket - counter.newest, counter.counts.length)
  if (!(passed > 0)) return
  for (let step = 0; step < passed; step++) {
    const place = (bucket - step) % counter.counts.length
    counter.total -= counter.counts[place] ?? 0
    counter.counts[place] = 0
  }
  counter.newest = bucket
}
