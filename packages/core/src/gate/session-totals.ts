/**
 * How many calls of a session were allowed on the way: what the store has recorded, and what is on its way there. Counts
 * what may be in both twice rather than what is in neither.
 */
export type SessionTotals = {
  /** A call is about to be recorded as allowed; gives what to call once it is, or is not. */
  readonly note: (session: string) => () => void
  readonly total: (session: string, recorded: () => Promise<number>) => Promise<() => number>
}

type Count = { noted: number; done: number }

/** Sessions are named by agents. The oldest with nothing on its way is forgotten. */
const mostSessions = 10_000

export function createSessionTotals(): SessionTotals {
  const counts = new Map<string, Count>()
  const countOf = (session: string): Count => {
    const known = counts.get(session)
    if (known !== undefined) return known
    if (counts.size >= mostSessions) forgetIdle(counts)
    const count = { noted: 0, done: 0 }
    counts.set(session, count)
    return count
  }
  return {
    note: (session) => {
      const count = countOf(session)
      count.noted += 1
      return () => {
        count.done += 1
      }
    },
    total: async (session, recorded) => {
      const count = countOf(session)
      const doneBefore = count.done
      const before = await recorded()
      return () => before + count.noted - doneBefore
    },
  }
}

function forgetIdle(counts: Map<string, Count>): void {
  for (const [session, { noted, done }] of counts) {
    if (noted === done) {
      counts.delete(session)
      return
    }
  }
}
