/**
 * Servers can send small messages without end, over many streams at once. What comes in one read is dealt with at once; a source that sent much in
 * it is then left unread until its turn.
 *
 * I1. Of the sources that send much, one is read on in each turn of the event loop. A source that sends little, or a part of one large message, never waits.
 */
import { setImmediate } from "node:timers/promises"

export type PausableSource = { readonly pause: () => void; readonly resume: () => void }

export type SourcePace = {
  /** One read of the source brought so many events or lines, each of which may be a batch of messages. */
  readonly came: (source: PausableSource, read: { readonly events: number; readonly bytes: number }) => void
}

const mostInOneRead = { events: 16, bytes: 8 * 1024 }

export function createSourcePace(nextTurn: () => Promise<unknown> = () => setImmediate()): SourcePace {
  const waiting = new Set<PausableSource>()
  let isServing = false
  const serve = async (): Promise<void> => {
    isServing = true
    for (;;) {
      await nextTurn()
      const [next] = waiting
      if (next === undefined) break
      waiting.delete(next)
      next.resume()
    }
    isServing = false
  }
  return {
    came: (source, { events, bytes }) => {
      const isLittle = events === 0 || (events <= mostInOneRead.events && bytes <= mostInOneRead.bytes)
      if (isLittle || waiting.has(source)) return
      source.pause()
      waiting.add(source)
      if (!isServing) void serve()
    },
  }
}

/** The same source for several that pause it: it is read on once all of them let it. */
export function sharedPauses(source: PausableSource): PausableSource {
  let pauses = 0
  return {
    pause: () => {
      pauses += 1
      if (pauses === 1) source.pause()
    },
    resume: () => {
      if (pauses === 0) return
      pauses -= 1
      if (pauses === 0) source.resume()
    },
  }
}
