/**
 * The client that waits for a running call now. A held call's callers come and go (legs, repeats, polls) while one run goes on, so a run
 * speaks to its audience and never to an exchange: a question waits until somebody is there to be asked.
 *
 * I1. A question goes to whoever waits now, never to one who has left.
 * I2. A question that finds nobody waits for the next to come.
 * I3. When the run is over, nobody is asked any more.
 */
import type { Exchange } from "../wire/exchange.ts"
import type { Notice } from "../wire/message.ts"
import { nobodyThere } from "../wire/not-asked.ts"

export type Present = Pick<Exchange, "notify" | "inquire">

export type CurrentClient = {
  readonly notify: (notice: Notice) => void
  readonly inquire: Exchange["inquire"]
  readonly isThere: () => boolean
  /** From now on this one is told and asked. */
  readonly moveTo: (present: Present | null) => void
  /** No client will come any more; open questions are not asked. */
  readonly end: () => void
}

/** `patienceMs`: how long a question waits for somebody to be there. */
export function createCurrentClient(first: Present | null, patienceMs: number): CurrentClient {
  let present = first
  const waiting = new Set<Wake>()
  const arrive = (next: Present | null): void => {
    for (const wake of waiting) wake(next)
  }
  return {
    notify: (notice) => present?.notify(notice),
    inquire: async (ask, until) => {
      const asked = present ?? (await someone(patienceMs, waiting))
      return asked === null ? nobodyThere : asked.inquire(ask, until)
    },
    isThere: () => present !== null,
    moveTo: (next) => {
      present = next
      if (next !== null) arrive(next)
    },
    end: () => {
      present = null
      arrive(null)
    },
  }
}

type Wake = (present: Present | null) => void

/** Whoever comes next, told by `waiting`; null where nobody comes in time. */
function someone(patienceMs: number, waiting: Set<Wake>): Promise<Present | null> {
  return new Promise((resolve) => {
    const wake: Wake = (present) => {
      clearTimeout(timer)
      waiting.delete(wake)
      resolve(present)
    }
    const timer = setTimeout(wake, patienceMs, null).unref()
    waiting.add(wake)
  })
}
