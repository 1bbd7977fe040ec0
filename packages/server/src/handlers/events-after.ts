import type { EventView } from "@byleave/api"
import type { Store, StoreEvent } from "@byleave/core"

const pageSize = 500

/**
 * Tells every event after that one, history first, then as they happen, until `ended`. It begins by saying where it stands
 * (`stream.opened`), or that what was missed is no longer kept (`stream.reset`: read everything anew).
 */
export async function eventsAfter(
  store: Pick<Store, "events" | "lastEvent" | "subscribe">,
  after: number | undefined,
  ended: AbortSignal,
  tell: (event: StoreEvent | EventView) => void,
): Promise<void> {
  const early: StoreEvent[] = []
  let live: ((event: StoreEvent) => void) | null = null
  const stop = store.subscribe((event) => {
    if (live === null) early.push(event)
    else live(event)
  })
  ended.addEventListener("abort", stop, { once: true })
  if (ended.aborted) return stop()

  const newest = await store.lastEvent()
  let last = await beginning(store, after, newest, tell)
  const once = (event: StoreEvent): void => {
    if (event.seq <= last) return
    last = event.seq
    tell(event)
  }
  for (;;) {
    const page = ended.aborted ? [] : await store.events(last, pageSize)
    page.forEach(once)
    if (page.length < pageSize) break
  }
  early.forEach(once)
  live = once
}

/** Where the stream starts. Events after a number that is no longer kept cannot be told without gaps. */
async function beginning(
  store: Pick<Store, "events">,
  after: number | undefined,
  newest: number,
  tell: (event: EventView) => void,
): Promise<number> {
  const from = after ?? newest
  const [next] = from < newest ? await store.events(from, 1) : []
  const isWhole = from === newest || next?.seq === from + 1
  const start = isWhole ? from : newest
  tell({ seq: start, type: isWhole ? "stream.opened" : "stream.reset", subject: "", at: 0 })
  return start
}
