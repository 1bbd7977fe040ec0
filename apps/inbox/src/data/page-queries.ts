import type { EventView } from "@byleave/api"
import { type Query, QueryClient } from "@tanstack/react-query"
import { slowMs, staleness } from "./stale-reads.ts"
import { ReadError } from "./use-read.ts"

/** What the page has read. Nothing ages by itself: events say what is out of date. */
export function newQueries(): QueryClient {
  return new QueryClient({
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
}

/** Reads again what these events have made stale. */
export function createRefresher(queries: QueryClient): {
  readonly after: (events: readonly EventView[]) => void
  readonly everything: () => void
  readonly stop: () => void
} {
  let soon: ReturnType<typeof setTimeout> | undefined
  const refresh = (predicate: (query: Query) => boolean): void => void queries.invalidateQueries({ predicate })
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
    everything: () => refresh(() => true),
    stop: () => clearTimeout(soon),
  }
}

function familiesOf(query: Query): string {
  const [families] = query.queryKey
  return typeof families === "string" ? families : ""
}
