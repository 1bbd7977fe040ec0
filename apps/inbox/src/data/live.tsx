import type { Client } from "@byleave/api"
import { useQueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from "react"
import { type Line, type LineState, openLine } from "./line.ts"
import { createRefresher } from "./page-queries.ts"
import { summaryOfView } from "./summary-of-view.ts"
import { ReadError } from "./use-read.ts"
import {
  type BookReader,
  type BookView,
  createWaitingBook,
  type WaitingBook,
  type WaitingCall,
} from "./waiting-book.ts"

export type Live = { readonly line: Line; readonly book: WaitingBook }

const LiveContext = createContext<Live | null>(null)

/** Follows the service's events for everything below: what waits, and what must be read again. */
export function LiveProvider({
  client,
  children,
}: {
  readonly client: Client
  readonly children: ReactNode
}): ReactNode {
  const queries = useQueryClient()
  const [live, setLive] = useState<Live | null>(null)
  useEffect(() => {
    const line = openLine(client, Date.now)
    const book = createWaitingBook(readerOf(client))
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

function told(book: WaitingBook, news: Parameters<Parameters<Line["onNews"]>[0]>[0]): Promise<void> {
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

function readerOf(client: Client): BookReader {
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

export function useLive(): Live {
  const live = use(LiveContext)
  if (live === null) throw new Error("The live connection is missing from the page context.")
  return live
}

/** Whether the page is connected; null where nothing follows the service. */
export function useLine(): LineState | null {
  const live = use(LiveContext)
  return useSyncExternalStore(live?.line.subscribe ?? never, () => live?.line.state() ?? null)
}

export function useRetry(): () => void {
  const live = use(LiveContext)
  return () => live?.line.retry()
}

export function useBook(): BookView {
  const { book } = useLive()
  return useSyncExternalStore(book.subscribe, book.view)
}

const never = (): (() => void) => () => undefined
