import type { EventView } from "@byleave/api"
import { type Query, QueryClient } from "@tanstack/react-query"
import { slowMs, staleness } from "./stale-reads.ts"
import { ReadError } from "./use-read.ts"

/** All calls that wait. The waiting table folds them from events and puts them here; nobody reads them by this key. */
export const waitingKey = ["waiting"] as const

/** The cache of the page's reads. Nothing ages by itself: events say what is out of date. */
export function newQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        // The service may be on this very machine: whether there is an internet says nothing.
        networkMode: "always",
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (failures, error) => failures < 2 && !(error instanceof ReadError && error.problem.status < 500),
      },
    },
  })
  // The table says itself what changed in it, and it is there as long as the page.
  queries.setQueryDefaults(waitingKey, { structuralSharing: false, gcTime: Number.POSITIVE_INFINITY })
  return queries
}

/**
 * Reads again what events have made stale.
 *
 * A read under way may have been answered before what is told now, so it does not count. After an event it is read once more when it ends: breaking
 * it off would leave a busy service never read at all. When the line is new it is broken off, since it may hang on the old one.
 */
export function createRefresher(queries: QueryClient): {
  readonly after: (events: readonly EventView[]) => void
  readonly everything: () => void
  readonly stop: () => void
} {
  let soon: ReturnType<typeof setTimeout> | undefined
  const late = readOnceMore(queries)
  const refresh = (predicate: (query: Query) => boolean): void => {
    late.mark(predicate)
    void queries.invalidateQueries({ predicate }, { cancelRefetch: false })
  }
  const approvals = new Set(["approval.pending"])
  return {
    after: (events) => {
      const types = new Set(events.map(({ type }) => type))
      refresh((query) => staleness(familiesOf(query), types) === "stale")
      const isSlow = queries
        .getQueryCache()
        .getAll()
        .some((query) => staleness(familiesOf(query), types) === "stale-soon")
      if (!isSlow || soon !== undefined) return
      soon = setTimeout(() => {
        soon = undefined
        refresh((query) => staleness(familiesOf(query), approvals) === "stale-soon")
      }, slowMs)
    },
    everything: () => {
      void queries.cancelQueries()
      void queries.invalidateQueries()
    },
    stop: () => {
      clearTimeout(soon)
      late.stop()
    },
  }
}

/** Remembers reads that are under way, and has each read once more when it has ended. */
function readOnceMore(queries: QueryClient): {
  readonly mark: (predicate: (query: Query) => boolean) => void
  readonly stop: () => void
} {
  const marked = new Set<string>()
  const cache = queries.getQueryCache()
  const stop = cache.subscribe(({ query }) => {
    if (query.state.fetchStatus !== "idle" || !marked.delete(query.queryHash)) return
    void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
  })
  const mark = (predicate: (query: Query) => boolean): void => {
    for (const query of cache.findAll({ predicate, fetchStatus: "fetching" })) marked.add(query.queryHash)
  }
  return { mark, stop }
}

export function familiesOf(query: Query): string {
  const [families] = query.queryKey
  return typeof families === "string" ? families : ""
}
