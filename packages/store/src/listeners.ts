import type { StoreEvent } from "@byleave/core"

export type EventListener = (event: StoreEvent) => void

/** The listeners for events, each from its own point on. */
export type EventListeners = {
  /** Told of every event after `after`. Returns how to stop. */
  readonly add: (listener: EventListener, after: number) => () => void
  readonly tell: (event: StoreEvent) => void
  readonly size: () => number
  readonly clear: () => void
}

export function createListeners(): EventListeners {
  const entries = new Set<{ readonly listener: EventListener; readonly after: number }>()
  return {
    add: (listener, after) => {
      const entry = { listener, after }
      entries.add(entry)
      return () => {
        entries.delete(entry)
      }
    },
    tell: (event) => {
      for (const entry of [...entries]) {
        if (event.seq > entry.after && entries.has(entry)) tellOne(entry.listener, event)
      }
    },
    size: () => entries.size,
    clear: () => entries.clear(),
  }
}

function tellOne(listener: EventListener, event: StoreEvent): void {
  try {
    listener(event)
  } catch {
    // A listener that fails has itself to blame; the event is true all the same and the others must hear of it.
  }
}
