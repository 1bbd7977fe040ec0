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

export type Rest = {
  /** Resolves once it is over, at once where there is none. */
  readonly over: () => Promise<void>
  readonly isOver: () => boolean
  /** Until so long from now. */
  readonly begin: (ms: number) => void
}

export type TellingRest = Pick<Rest, "over" | "isOver"> & {
  /** A telling has ended just now. */
  readonly after: (telling: EndedTelling) => void
}

/** A list of more tools or characters takes time to compare. */
const longList = { tools: 200, characters: 250_000 }
const restTimes = 10
const restMsPerChange = 20
const longestRestMs = 10_000

/** Whether it takes time also where nothing has changed. */
export function isLongTelling({ tools, characters }: Pick<EndedTelling, "tools" | "characters">): boolean {
  return tools > longList.tools || characters > longList.characters
}

export function createRest({ now, pause }: Pace): Rest {
  let until = Number.NEGATIVE_INFINITY
  const isOver = (): boolean => until <= now()
  return {
    over: async () => {
      if (!isOver()) await pause(until - now())
    },
    isOver,
    begin: (ms) => {
      until = now() + Math.min(ms, longestRestMs)
    },
  }
}

export function createTellingRest(pace: Pace): TellingRest {
  const { over, isOver, begin } = createRest(pace)
  return {
    over,
    isOver,
    after: ({ began, changes, isNews = true, ...list }) => {
      const ofTime = isLongTelling(list) ? (isNews ? restTimes : 1) * (pace.now() - began) : 0
      begin(Math.max(ofTime, restMsPerChange * changes))
    },
  }
}
