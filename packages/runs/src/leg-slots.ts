/**
 * The places in which legs are carried out, shared among those who started the runs.
 *
 * I1. No more pieces of work at the same time than there are places.
 * I2. Whoever has the fewest places comes first; among equals, whoever was served longest ago.
 * I3. The runs of one starter that are under way have no more bytes together than they may; one alone may have any number.
 * I4. Nobody takes the last places while having others: a starter who comes later and has none finds one.
 */

export type LegSlots = {
  /** Runs the work once the starter has a place for it. Undefined: it was told to stop before its turn. */
  readonly whenFree: <T>(leg: WaitingLeg, signal: AbortSignal, work: () => Promise<T>) => Promise<T | undefined>
}

/** `bytes`: of the run, all of which its leg reads. */
export type WaitingLeg = { readonly starter: string; readonly bytes: number }

/** Of so many places one is kept free for starters that have none, or fewer than others. */
const placesPerKept = 4

type Starter = { taken: number; bytes: number; servedAt: number; readonly waiting: Map<() => void, number> }

export function createLegSlots(limit: number, bytesPerStarter: number): LegSlots {
  const kept = Math.floor(limit / placesPerKept)
  const starters = new Map<string, Starter>()
  let free = limit
  let served = 0
  const starterOf = (name: string): Starter => {
    const known = starters.get(name) ?? { taken: 0, bytes: 0, servedAt: 0, waiting: new Map() }
    starters.set(name, known)
    return known
  }
  const mayTake = ({ taken }: Starter): boolean => free > Math.min(kept, taken)
  const take = (starter: Starter, bytes: number): void => {
    free -= 1
    starter.taken += 1
    starter.bytes += bytes
    served += 1
    starter.servedAt = served
  }
  const serve = (): void => {
    for (;;) {
      const next = nextOf(starters.values(), bytesPerStarter)
      if (next === undefined || !mayTake(next)) return
      const [begin] = next.waiting.keys()
      begin?.()
    }
  }
  const turn = (starter: Starter, bytes: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const begin = (): void => {
        starter.waiting.delete(begin)
        signal.removeEventListener("abort", leave)
        take(starter, bytes)
        resolve(true)
      }
      const leave = (): void => {
        starter.waiting.delete(begin)
        resolve(false)
      }
      starter.waiting.set(begin, bytes)
      signal.addEventListener("abort", leave, { once: true })
      serve()
    })
  const forget = (name: string, { taken, waiting }: Starter): void => {
    if (taken === 0 && waiting.size === 0) starters.delete(name)
  }
  return {
    whenFree: async ({ starter: name, bytes }, signal, work) => {
      if (signal.aborted) return undefined
      const starter = starterOf(name)
      const hasPlace = await turn(starter, bytes, signal)
      try {
        return hasPlace && !signal.aborted ? await work() : undefined
      } finally {
        if (hasPlace) {
          free += 1
          starter.taken -= 1
          starter.bytes -= bytes
        }
        forget(name, starter)
        serve()
      }
    },
  }
}

/** The one that comes first of those that wait for nothing of their own; where it may not take a place, none may. */
function nextOf(starters: Iterable<Starter>, bytesPerStarter: number): Starter | undefined {
  let next: Starter | undefined
  for (const starter of starters) {
    const [bytes] = starter.waiting.values()
    if (bytes === undefined || (starter.taken > 0 && starter.bytes + bytes > bytesPerStarter)) continue
    if (next === undefined || isBefore(starter, next)) next = starter
  }
  return next
}

function isBefore(a: Starter, b: Starter): boolean {
  return a.taken < b.taken || (a.taken === b.taken && a.servedAt < b.servedAt)
}
