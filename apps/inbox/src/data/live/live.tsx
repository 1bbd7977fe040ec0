import type { Client } from "@byleave/api"
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from "react"
import { createRefresher, waitingKey } from "../page-queries.ts"
import { ReadError } from "../use-read.ts"
import { type LineState, type LiveConnection, openLiveConnection } from "./live-connection.ts"
import { summaryOfView } from "./summary-of-view.ts"
import {
  createWaitingTable,
  nothingYet,
  type TableReader,
  type TableView,
  type WaitingCall,
  type WaitingTable,
} from "./waiting-table.ts"

export type LiveData = { readonly line: LiveConnection; readonly book: WaitingTable }

const LiveContext = createContext<LiveData | null>(null)

type LiveProviderProps = { readonly client: Client; readonly children: ReactNode }

/** Follows the service's events for everything below: what waits, and what must be read again. */
export function LiveProvider({ client, children }: LiveProviderProps): ReactNode {
  const queries = useQueryClient()
  const [live, setLive] = useState<LiveData | null>(null)
  useEffect(() => {
    const line = openLiveConnection(client, Date.now)
    const book = createWaitingTable(readerOf(client), (view) => queries.setQueryData(waitingKey, view))
    const refresher = createRefresher(queries)
    line.onNews((news) => {
      if (news.kind !== "events") refresher.everything()
      else refresher.after(news.events)
      void told(book, news)
    })
    const again = (): void => line.retry()
    window.addEventListener("online", again)
    document.addEventListener("visibilitychange", again)
    setLive({ line, book })
    return () => {
      window.removeEventListener("online", again)
      document.removeEventListener("visibilitychange", again)
      refresher.stop()
      line.close()
    }
  }, [client, queries])
  return live === null ? null : <LiveContext value={live}>{children}</LiveContext>
}

function told(book: WaitingTable, news: Parameters<Parameters<LiveConnection["onNews"]>[0]>[0]): Promise<void> {
  switch (news.kind) {
    case "opened":
      return book.open(news.seq)
    case "resumed":
      return book.resume()
    case "events":
      return book.apply(news.events)
  }
}

/** Small enough that taking in a page is never felt. */
const pageSize = 100

function readerOf(client: Client): TableReader {
  return {
    page: async (after, limit = pageSize) => {
      const query = { status: "pending", limit, ...(after === null ? {} : { after }) }
      const reply = await client.listApprovals({ query })
      if (!reply.ok) throw new ReadError(reply.problem)
      return reply.value
    },
    one: async (id): Promise<WaitingCall | null> => {
      const reply = await client.getApproval({ params: { id } })
      if (reply.ok) return summaryOfView(reply.value)
      if (reply.problem.code === "not-found") return null
      throw new ReadError(reply.problem)
    },
  }
}

export function useLive(): LiveData {
  const live = use(LiveContext)
  if (live === null) throw new Error("The live connection is missing from the page context.")
  return live
}

/** Whether the page is connected; null where nothing follows the service. */
export function useLiveConnection(): LineState | null {
  const live = use(LiveContext)
  return useSyncExternalStore(live?.line.subscribe ?? never, () => live?.line.state() ?? null)
}

export function useRetry(): () => void {
  const live = use(LiveContext)
  return () => live?.line.retry()
}

export function useWaitingCalls(): TableView {
  return useQuery<TableView>({ queryKey: waitingKey, queryFn: skipToken }).data ?? nothingYet
}

const never = (): (() => void) => () => undefined
