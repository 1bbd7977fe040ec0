import type { DatabaseSync } from "node:sqlite"
import type { StoreEvent } from "@byleave/core"
import { nameOf } from "../key-text.ts"
import { createListeners, type EventListener } from "../listeners.ts"
import { prepared } from "./tables/prepared.ts"

/** Tells listeners of the rows in the events table, of all processes: one path, so that none is lost or told twice. */
export type EventRelay = {
  readonly after: (seq: number, limit: number) => readonly StoreEvent[]
  readonly last: () => number
  readonly subscribe: (listener: EventListener) => () => void
  /** Tells listeners of the events they have not been told of yet. */
  readonly pump: () => void
  /** The same, when these were just committed here: they need not be read again unless others wrote in between. */
  readonly tell: (committed: readonly StoreEvent[]) => void
  readonly stop: () => void
}

const pageSize = 500

export function createEventRelay(database: DatabaseSync, pollMs: number): EventRelay {
  const read = prepared<StoreEvent>(
    database,
    "SELECT seq, at, type, subject FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
  )
  const lastSeq = prepared<{ seq: number }>(database, "SELECT coalesce(max(seq), 0) AS seq FROM events")
  const listeners = createListeners()
  let timer: NodeJS.Timeout | null = null
  let told = 0

  const after = (seq: number, limit: number): readonly StoreEvent[] =>
    read.all(seq, limit).map((row) => ({ ...row, subject: nameOf(row.subject) }))
  const last = (): number => lastSeq.get()?.seq ?? 0
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
    listeners.clear()
  }
  const tellAll = (events: Iterable<StoreEvent>): void => {
    for (const event of events) {
      told = event.seq
      listeners.tell(event)
    }
  }
  const pump = (): void => {
    if (listeners.size() === 0) return
    tellAll(pages(after, () => told))
  }
  const poll = (): void => {
    try {
      pump()
    } catch {
      // Nothing is lost: the next poll starts where this one stood, and the next call of the store reports the trouble.
    }
  }
  return {
    after,
    last,
    subscribe: (listener) => {
      const from = last()
      if (listeners.size() === 0) told = from
      const remove = listeners.add(listener, from)
      timer ??= setInterval(poll, pollMs).unref()
      return () => {
        remove()
        if (listeners.size() === 0) stop()
      }
    },
    pump: poll,
    tell: (committed) => {
      const [first] = committed
      if (first === undefined || listeners.size() === 0) return
      if (first.seq === told + 1) tellAll(committed)
      else poll()
    },
    stop,
  }
}

function* pages(
  read: (seq: number, limit: number) => readonly StoreEvent[],
  position: () => number,
): Iterable<StoreEvent> {
  for (;;) {
    const page = read(position(), pageSize)
    yield* page
    if (page.length < pageSize) return
  }
}
