import type { Problem, RunSummaryView } from "@byleave/api"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useClient } from "../../data/client.tsx"
import { shownBy } from "../../data/shown-by.ts"
import { problemOf, read } from "../../data/use-read.ts"
import type { RunFilter } from "./run-filter.ts"

type Runs =
  | { readonly state: "loading" }
  | { readonly state: "problem"; readonly problem: Problem; readonly again: () => void }
  | {
      readonly state: "ready"
      readonly runs: readonly RunSummaryView[]
      readonly hasMore: boolean
      readonly isReadingMore: boolean
      readonly readMore: () => void
      /** The last answer is still shown, though the newest read failed. */
      readonly problem: Problem | null
    }

const pageSize = 50

/** Runs, newest first, page by page; all pages that are shown are read again when a run has changed. */
export function useRuns(filter: RunFilter): Runs {
  const client = useClient()
  const pages = useInfiniteQuery({
    queryKey: [shownBy.listRuns, "listRuns", filter],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: pageSize,
        // Threads have a page of their own.
        principal: "run" as const,
        ...(filter === "" ? {} : { status: filter }),
        ...(pageParam === null ? {} : { after: pageParam }),
      }
      return read(client, "listRuns", { query }, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  if (pages.data === undefined) {
    if (pages.error === null) return { state: "loading" }
    return { state: "problem", problem: problemOf(pages.error), again: () => void pages.refetch() }
  }
  return {
    state: "ready",
    runs: pages.data.pages.flatMap(({ items }) => items),
    hasMore: pages.hasNextPage,
    isReadingMore: pages.isFetchingNextPage,
    readMore: () => void pages.fetchNextPage(),
    problem: pages.error === null ? null : problemOf(pages.error),
  }
}
