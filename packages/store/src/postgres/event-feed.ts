/**
 * Tells listeners of events, whichever process made them.
 *
 * I1. Events are told in the order of their numbers, each once, and from the table: a notification only says "look".
 * I2. A look follows every commit of this process, every notification, every (re)connection, and at least every poll.
 * I3. Whoever asks for a look is answered once one that began after has told everything there was, or has failed. What was heard is as old as the
 *     beginning of the last look that told everything.
 */
import { setTimeout as delay } from "node:timers/promises"
import { StoreError, type StoreEvent } from "@byleave/core"
import type pg from "pg"
import { createListeners, type EventListener } from "../listeners.ts"
import type { Elapsed } from "../steady-time.ts"
import type { Presence } from "./presence.ts"

export type EventFeedPorts = {
  readonly readEvents: (after: number, limit: number) => Promise<readonly StoreEvent[]>
  /** A new connection to listen on. */
  readonly client: () => pg.Client
  readonly channel: string
  readonly pollMs: number
  /** Says how old it is what was heard. */
  readonly elapsed: Elapsed
  /** Told the time of what others recorded. */
  readonly saw: (at: number) => void
  /** Each connection is shown before it is listened on; `cut`: one is over. */
  readonly presence: Pick<Presence, "show" | "cut">
}

export type EventFeed = {
  readonly subscribe: (listener: EventListener) => () => void
  /** This process committed events up to this number; null: up to one it does not know. */
  readonly committed: (last: number | null) => void
  /** When everything that had been committed, anywhere, was told last. */
  readonly heardAt: () => number
  /** Resolves once everything that is committed by now, anywhere, is told; rejects where that cannot be read. */
  readonly hear: () => Promise<void>
  readonly close: () => Promise<void>
}

const pageSize = 500
const firstPauseMs = 50
const longestPauseMs = 5_000

/** `last` is the newest event there was when the store was opened. */
export function openEventFeed(last: number, ports: EventFeedPorts): EventFeed {
  const listeners = createListeners()
  const closing = new AbortController()
  let told = last
  let known = last
  let looking = false
  let lookAgain = false
  let heardAt = ports.elapsed()
  let asking: Array<PromiseWithResolvers<void>> = []
  const giveUp = (cause: unknown): void => {
    for (const asked of asking.splice(0)) asked.reject(cause)
  }

  const tellPage = async (): Promise<boolean> => {
    const answered = asking
    asking = []
    const began = ports.elapsed()
    try {
      const more = await readPage()
      if (more) asking = [...answered, ...asking]
      else {
        heardAt = began
        for (const asked of answered) asked.resolve()
      }
      return more
    } catch (cause) {
      asking = [...answered, ...asking]
      throw cause
    }
  }
  const readPage = async (): Promise<boolean> => {
    const page = await ports.readEvents(told, pageSize)
    for (const event of page) {
      told = Math.max(told, event.seq)
      known = Math.max(known, event.seq)
      ports.saw(event.at)
      listeners.tell(event)
    }
    return page.length === pageSize
  }
  const look = async (): Promise<void> => {
    lookAgain = true
    if (looking) return
    looking = true
    try {
      while (lookAgain && !closing.signal.aborted) {
        lookAgain = false
        if ((listeners.size() > 0 || asking.length > 0) && (await tellPage())) lookAgain = true
      }
    } catch (cause) {
      // The server cannot be read now. The next poll looks again, from where this one stopped.
      giveUp(cause)
    } finally {
      looking = false
    }
  }
  const noted = (seq: number): void => {
    known = Math.max(known, seq)
    void look()
  }
  const poll = setInterval(() => void look(), ports.pollMs)
  poll.unref()
  const listening = listen(
    ports,
    closing.signal,
    () => void look(),
    (payload) => {
      const [seq = 0, at = 0] = payload.split(" ").map(Number)
      ports.saw(at)
      noted(seq)
    },
  )
  return {
    subscribe: (listener) => {
      if (listeners.size() === 0) told = Math.max(told, known)
      return listeners.add(listener, Math.max(told, known))
    },
    committed: (seq) => noted(seq ?? known),
    heardAt: () => heardAt,
    hear: () => {
      const asked = Promise.withResolvers<void>()
      asking.push(asked)
      void look()
      return asked.promise
    },
    close: async () => {
      giveUp(new StoreError("closed", "The store is closed."))
      listeners.clear()
      clearInterval(poll)
      closing.abort()
      await listening
    },
  }
}

/** Listens until told to stop, connecting again whenever the connection breaks. */
async function listen(
  { client: connect, channel, presence }: EventFeedPorts,
  stop: AbortSignal,
  onConnected: () => void,
  onNotified: (payload: string) => void,
): Promise<void> {
  let pauseMs = firstPauseMs
  while (!stop.aborted) {
    const client = connect()
    client.on("error", () => {})
    client.on("notification", ({ payload = "" }) => onNotified(payload))
    const ended = new Promise<void>((resolve) => client.once("end", resolve))
    const hangUp = (): void => void client.end().catch(() => {})
    try {
      await client.connect()
      stop.addEventListener("abort", hangUp, { once: true })
      await presence.show(client)
      await client.query(`LISTEN "${channel}"`)
      pauseMs = firstPauseMs
      onConnected()
      if (stop.aborted) hangUp()
      await ended
    } catch {
      hangUp()
    } finally {
      presence.cut()
      stop.removeEventListener("abort", hangUp)
    }
    await delay(pauseMs, undefined, { signal: stop }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}
