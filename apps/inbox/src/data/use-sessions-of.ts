import type { SessionView } from "@byleave/api"
import { useMemo, useRef } from "react"
import { useRead } from "./use-read.ts"
import { withEnded } from "./with-ended.ts"

/** As many as the service tells of at once; whoever shows more calls shows the others by their agent. */
const mostAsked = 50

/** The sessions of calls that are shown, by their keys. One that is over is listed no more, and asked for by its key. */
export function useSessionsOf(keys: readonly string[]): ReadonlyMap<string, SessionView> {
  const live = useRead("listSessions")
  const seen = useRef<ReadonlyMap<string, SessionView>>(new Map())
  const isKnown = (key: string): boolean =>
    seen.current.has(key) || (live.state === "ready" && live.value.items.some((session) => session.key === key))
  const asked = [...new Set(keys)].filter((key) => !isKnown(key)).toSorted()
  const over = useRead(
    "listSessions",
    { query: { keys: asked.slice(0, mostAsked).join() } },
    { enabled: live.state === "ready" && asked.length > 0 },
  )
  const liveItems = live.state === "ready" ? live.value.items : none
  const overItems = over.state === "ready" ? over.value.items : none
  return useMemo(() => {
    seen.current = withEnded([...overItems, ...liveItems], seen.current)
    return seen.current
  }, [liveItems, overItems])
}

const none: readonly SessionView[] = []
