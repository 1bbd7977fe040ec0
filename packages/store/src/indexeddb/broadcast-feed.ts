import type { StoreEvent } from "@byleave/core"
import { createListeners, type EventListener } from "../listeners.ts"

/** Tells listeners what the events table holds, whoever wrote it: one way, so that none is lost or told twice. */
export type BroadcastFeed = {
  readonly subscribe: (listener: EventListener) => () => void
  /** There are events up to this number. `isOwn`: this connection has made them, and the others must be told. */
  readonly reached: (seq: number, isOwn: boolean) => void
  readonly stop: () => void
}

export type BroadcastFeedOptions = {
  /** The database that the other connections have open, too. */
  readonly name: string
  readonly read: (after: number) => Promise<readonly StoreEvent[]>
  readonly last: number
}

export function createBroadcastFeed({ name, read, last }: BroadcastFeedOptions): BroadcastFeed {
  const listeners = createListeners()
  const channel = new BroadcastChannel(`byleave-store:${name}`)
  let known = last
  let told = last
  let isTelling = false
  let isStopped = false
  const tell = async (): Promise<void> => {
    while (!isStopped && told < known) {
      const events = await read(told)
      // Retention may have removed what nobody here listened to.
      if (events.length === 0) told = known
      for (const event of events) {
        told = event.seq
        known = Math.max(known, told)
        listeners.tell(event)
      }
    }
  }
  const pump = (): void => {
    if (listeners.size() === 0) {
      told = known
      return
    }
    if (isTelling) return
    isTelling = true
    tell()
      .catch(() => {
        // Nothing is lost: the next event begins where this reading stood.
      })
      .finally(() => {
        isTelling = false
        if (!isStopped && told < known) setTimeout(pump, retryMs)
      })
  }
  const reached = (seq: number, isOwn: boolean): void => {
    if (isStopped || seq <= known) return
    known = seq
    if (isOwn) channel.postMessage(seq)
    pump()
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "number") reached(data, false)
  }
  return {
    subscribe: (listener) => listeners.add(listener, known),
    reached,
    stop: () => {
      isStopped = true
      listeners.clear()
      channel.close()
    },
  }
}

const retryMs = 200
