import type { Problem, RunSummaryView } from "@byleave/api"
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { useClient } from "../../data/client.tsx"
import { shownBy } from "../../data/shown-by.ts"
import { problemOf, read } from "../../data/use-read.ts"

type Threads =
  | { readonly state: "loading" }
  | { readonly state: "problem"; readonly problem: Problem; readonly again: () => void }
  | {
      readonly state: "ready"
      readonly threads: readonly RunSummaryView[]
      readonly hasMore: boolean
      readonly isReadingMore: boolean
      readonly readMore: () => void
    }

const pageSize = 50

/** Threads, newest first, with the text in their titles or in what was said in them; read again when one has changed. */
export function useThreads(text: string): Threads {
  const client = useClient()
  const pages = useInfiniteQuery({
    queryKey: [shownBy.listRuns, "listRuns", { principal: "chat", text }],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        principal: "chat" as const,
        limit: pageSize,
        ...(text === "" ? {} : { text }),
        ...(pageParam === null ? {} : { after: pageParam }),
      }
      return read(client, "listRuns", { query }, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
  })
  if (pages.data === undefined) {
    if (pages.error === null) return { state: "loading" }
    return { state: "problem", problem: problemOf(pages.error), again: () => void pages.refetch() }
  }
  return {
    state: "ready",
    threads: pages.data.pages.flatMap(({ items }) => items),
    hasMore: pages.hasNextPage,
    isReadingMore: pages.isFetchingNextPage,
    readMore: () => void pages.fetchNextPage(),
  }
}
