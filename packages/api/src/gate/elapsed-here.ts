/**
 * A clock that only goes forward, in milliseconds.
 *
 * I1. The time in which the machine sleeps counts. The platform's own steady clock stands still meanwhile; the clock of the day does not, and is ahead of it
 *     afterwards.
 * I2. Setting the clock of the day back changes nothing.
 */
export function createElapsed(steady: () => number, ofDay: () => number): () => number {
  let ahead = ofDay() - steady()
  let slept = 0
  return () => {
    const now = steady()
    const aheadNow = ofDay() - now
    if (aheadNow - ahead > smallest) slept += aheadNow - ahead
    ahead = aheadNow
    return now + slept
  }
}

/** The clock of the day is adjusted by less all the time. */
const smallest = 100

export const elapsedHere = createElapsed(
  () => performance.now(),
  () => Date.now(),
)
