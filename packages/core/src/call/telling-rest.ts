/**
 * The pace of tellings: a server that lists other tools each time takes up a small part of everybody's time and of the record.
 *
 * I1. The next telling waits for each tool that changed, and after one that was long to compare for a multiple of what it took.
 * I2. It never waits longer than the longest rest.
 */

/** When it is, and how one waits. */
export type Pace = { readonly now: () => number; readonly pause: (ms: number) => Promise<void> }

export type EndedTelling = {
  readonly began: number
  readonly tools: number
  readonly characters: number
  readonly changes: number
  /** False: all of it was told before in the same words, and the rest is as long as the telling was. True unless set. */
  readonly isNews?: boolean
}

export type TellingRest = {
  /** Resolves once the rest after the last telling is over. */
  readonly over: () => Promise<void>
  /** A telling has ended just now. */
  readonly after: (telling: EndedTelling) => void
}

/** A list of more tools or characters takes time to compare. */
const longList = { tools: 200, characters: 250_000 }
const restTimes = 10
const restMsPerChange = 20
const longestRestMs = 10_000

export function createTellingRest({ now, pause }: Pace): TellingRest {
  let until = Number.NEGATIVE_INFINITY
  return {
    over: async () => {
      if (until > now()) await pause(until - now())
    },
    after: ({ began, tools, characters, changes, isNews = true }) => {
      const isLong = tools > longList.tools || characters > longList.characters
      const restMs = Math.max(isLong ? (isNews ? restTimes : 1) * (now() - began) : 0, restMsPerChange * changes)
      until = now() + Math.min(restMs, longestRestMs)
    },
  }
}
