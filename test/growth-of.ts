/** Kernels count processor time in steps of a few milliseconds: below this a difference says nothing. */
const leastMs = 10

/**
 * How many times as long work takes for a text as for its half: about two when it is linear, four when it is quadratic. The thread's own
 * processor time counts, and of several tries the least: whatever else a machine does only adds to it.
 */
export function growthOf(work: (text: string) => unknown, text: string): number {
  const [whole, half] = leastTimes(work, [text, text.slice(0, text.length / 2)])
  return ((whole ?? 0) + leastMs) / ((half ?? 0) + leastMs)
}

/** The least processor time that work took for each text, in milliseconds. */
export function leastTimes(work: (text: string) => unknown, texts: readonly string[]): readonly number[] {
  const least = texts.map(() => Number.POSITIVE_INFINITY)
  for (let tries = 0; tries < 5; tries++) {
    for (const [at, text] of texts.entries()) {
      const began = process.threadCpuUsage()
      work(text)
      const { user, system } = process.threadCpuUsage(began)
      least[at] = Math.min(least[at] ?? 0, (user + system) / 1_000)
    }
  }
  return least
}
