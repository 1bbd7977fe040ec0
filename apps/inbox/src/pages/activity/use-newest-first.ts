import type { AuditRecordView, CallView, InputOf, Problem, Routes } from "@byleave/api"
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useClient } from "../../data/client.tsx"
import { problemOf, read } from "../../data/use-read.ts"
import { mergeNewest } from "./merge-newest.ts"

type ListName = "listCalls" | "listAudit"
type ItemOf = { readonly listCalls: CallView; readonly listAudit: AuditRecordView }
type Page<Item> = {
  readonly items: readonly Item[]
  readonly next: string | null
  /** Of pages that come from looking through more than they show. */
  readonly lookedTo?: number | null
}

type NewestFirst<Item> =
  | { readonly state: "loading" }
  | { readonly state: "problem"; readonly problem: Problem; readonly again: () => void }
  | {
      readonly state: "ready"
      readonly items: readonly Item[]
      readonly hasMore: boolean
      readonly isReadingMore: boolean
      readonly readMore: () => void
      /** Nothing was found on the way back to this time, and there is more before it; null: something was. */
      readonly foundNoneSince: number | null
      /** The last answer is still shown, though the newest read failed. */
      readonly problem: Problem | null
    }

type Options<Name extends ListName> = {
  readonly name: Name
  readonly query: Readonly<Record<string, unknown>>
  readonly keyOf: (item: ItemOf[Name]) => string
  /** Only then is the newest page read again and again: what somebody reads further down does not move. */
  readonly isAtTop: boolean
  /** Families of events that also make the newest page stale, joined by `+`. While somebody reads further down, they wait as well. */
  readonly freshBy?: string
}

const pageSize = 50
const everyMs = 4_000
const staleAfterMs = 30_000

/** A long list, page by page, its newest part kept fresh. Calls that nobody is asked about make no event, so it is read by the clock. */
export function useNewestFirst<Name extends ListName>({
  name,
  query,
  keyOf,
  isAtTop,
  freshBy,
}: Options<Name>): NewestFirst<ItemOf[Name]> {
  const client = useClient()
  const queries = useQueryClient()
  const ask = async (after: string | null, signal: AbortSignal): Promise<Page<ItemOf[Name]>> => {
    const from = after === null ? {} : { after }
    const input = { query: { ...query, ...from, limit: pageSize } } as InputOf<Routes[Name]>
    return (await read(client, name, input, signal)) as unknown as Page<ItemOf[Name]>
  }
  const pagesKey = ["never", name, "pages", query]
  const pages = useInfiniteQuery({
    queryKey: pagesKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    staleTime: staleAfterMs,
  })
  const newest = useQuery({
    queryKey: [freshBy ?? "never", name, "newest", query],
    queryFn: ({ signal }) => ask(null, signal),
    enabled: pages.data !== undefined && (freshBy === undefined || isAtTop),
    staleTime: everyMs,
    refetchInterval: isAtTop ? everyMs : false,
  })
  const merged = mergeNewest<ItemOf[Name]>(
    newest.data?.items ?? [],
    pages.data?.pages.map((page) => page.items) ?? [],
    keyOf,
  )
  const key = JSON.stringify(pagesKey)
  useEffect(() => {
    if (merged.hasGap) void queries.resetQueries({ queryKey: JSON.parse(key) as readonly unknown[] })
  }, [merged.hasGap, key, queries])
  if (pages.data === undefined) {
    if (pages.error === null) return { state: "loading" }
    return { state: "problem", problem: problemOf(pages.error), again: () => void pages.refetch() }
  }
  const error = newest.error ?? pages.error
  return {
    state: "ready",
    items: merged.items,
    hasMore: pages.hasNextPage,
    isReadingMore: pages.isFetchingNextPage,
    readMore: () => void pages.fetchNextPage(),
    foundNoneSince: foundNoneSince(pages.data.pages.at(-1)),
    problem: error === null ? null : problemOf(error),
  }
}

function foundNoneSince(last: Page<unknown> | undefined): number | null {
  return last === undefined || last.items.length > 0 ? null : (last.lookedTo ?? null)
}
