/**
 * The page's one live connection, and whether it stands. Events are told in batches. A lost connection comes back by itself and goes on where it
 * stopped; only when what was missed is no longer kept is everything to be read anew.
 */
import type { Client, EventView } from "@byleave/api"
import { followEvents } from "@byleave/api/page"
import { backoffMs } from "./backoff.ts"
import { eventBatches } from "./event-batches.ts"

export type LineState =
  | { readonly state: "connecting"; readonly since: number }
  | { readonly state: "open"; readonly since: number; readonly cameBack: { readonly away: number } | null }
  | { readonly state: "lost"; readonly since: number }

/** From `opened` on, nothing is missed. `resumed`: nothing was missed, but what was asked meanwhile may have failed. */
type News =
  | { readonly kind: "opened"; readonly seq: number }
  | { readonly kind: "resumed" }
  | { readonly kind: "events"; readonly events: readonly EventView[] }

export type LiveConnection = {
  readonly state: () => LineState
  readonly subscribe: (listener: () => void) => () => void
  readonly onNews: (listener: (news: News) => void) => () => void
  /** Tries at once instead of waiting. */
  readonly retry: () => void
  readonly forgetReturn: () => void
  readonly close: () => void
}

const batchMs = 250

export function openLiveConnection(client: Client, now: () => number): LiveConnection {
  const listeners = new Set<() => void>()
  const readers = new Set<(news: News) => void>()
  const over = new AbortController()
  let state: LineState = { state: "connecting", since: now() }
  let wake: (() => void) | null = null
  let seq: number | null = null

  const become = (next: LineState): void => {
    state = next
    for (const tell of listeners) tell()
  }
  const tell = (news: News): void => {
    for (const read of readers) read(news)
  }
  const batches = eventBatches({
    everyMs: batchMs,
    later: pageTimer,
    tell: (events) => tell({ kind: "events", events }),
  })

  const take = (event: EventView): void => {
    const isResumed = event.type === "stream.opened" && seq === event.seq
    seq = event.seq
    if (isResumed) tell({ kind: "resumed" })
    else if (!event.type.startsWith("stream.")) batches.add(event)
    else {
      batches.stop()
      tell({ kind: "opened", seq: event.seq })
    }
  }
  const connected = (isThere: boolean): void => {
    if (isThere)
      become({ state: "open", since: now(), cameBack: state.state === "lost" ? { away: now() - state.since } : null })
    else if (state.state !== "lost") become({ state: "lost", since: now() })
  }
  const wait = (attempt: number): Promise<void> => {
    if (state.state === "connecting") connected(false)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, backoffMs(attempt, Math.random()))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  const follow = async (): Promise<void> => {
    try {
      await followEvents({ client, signal: over.signal, onEvent: take, onConnected: connected, wait })
    } catch {
      // Something else answers at this address now. It may be ours again later.
      if (over.signal.aborted) return
      connected(false)
      await wait(6)
      await follow()
    }
  }
  void follow()

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onNews: (reader) => {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    retry: () => wake?.(),
    forgetReturn: () => state.state === "open" && become({ ...state, cameBack: null }),
    close: () => {
      over.abort()
      batches.stop()
      wake?.()
    },
  }
}

function pageTimer(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}
