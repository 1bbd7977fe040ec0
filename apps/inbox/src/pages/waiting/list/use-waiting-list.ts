import type { SessionView } from "@byleave/api"
import { sessionName } from "@byleave/api/page"
import { useNow } from "@byleave/ui"
import { useDeferredValue, useEffect, useMemo, useRef } from "react"
import { useWaitingCalls } from "../../../data/live/live.tsx"
import type { WaitingCall } from "../../../data/live/waiting-table.ts"
import { type Read, useRead } from "../../../data/use-read.ts"
import { withEnded } from "../../../data/with-ended.ts"
import { type CallFilter, endsSoon, filterCalls, listedCalls } from "./filter-calls.ts"
import { type Folded, foldLines } from "./fold-lines.ts"
import { groupByRisk, groupCalls, type ListLine } from "./group-calls.ts"
import { sortCalls } from "./sort-calls.ts"

export type WaitingList = {
  readonly lines: readonly ListLine[]
  /** With the calls of folded groups. */
  readonly allLines: readonly ListLine[]
  /** The calls on the list, in its order, those of folded groups among them. */
  readonly shown: readonly WaitingCall[]
  /** Of the calls in sight. */
  readonly ids: readonly string[]
  readonly folded: Folded
  /** Whatever waits, filtered or not. */
  readonly calls: readonly WaitingCall[]
  /** How many of them match the search and filters. */
  readonly matching: number
  readonly sessions: ReadonlyMap<string, SessionView>
  readonly nameOf: (call: WaitingCall) => string
  readonly soon: number
}

/** `kept`: a call that stays on the list though it is settled, because somebody has it open. */
export function useWaitingList(filter: CallFilter, kept: WaitingCall | null, folded: Folded): WaitingList {
  const book = useWaitingCalls()
  const read = useRead("listSessions")
  const typed = useDeferredValue(filter)
  const minute = useNow(15_000)
  const order = useRef<readonly string[]>([])
  const items = read.state === "ready" ? read.value.items : none
  const sessions = useSessionsSeen(items)
  useUnknownSessions(book.calls, sessions, read)
  return useMemo(() => {
    const nameOf = (call: WaitingCall): string => sessionName(sessions.get(call.sessionKey), call.session)
    const { matching, listed } = listedCalls(book.calls, kept, (calls) => filterCalls(calls, typed, nameOf, minute))
    // Only in the order they came in does nothing that arrives move what is there.
    const isStable = typed.sort === "oldest" && book.loading === "done"
    const sorted = sortCalls(listed, typed.sort)
    const grouped = groupCalls(sorted, isStable ? order.current : [])
    order.current = typed.sort === "oldest" ? grouped.order : []
    const allLines = typed.sort === "riskiest" ? groupByRisk(sorted) : grouped.lines
    const lines = foldLines(allLines, folded)
    return {
      lines,
      allLines,
      shown: callsIn(allLines),
      ids: callsIn(lines).map(({ id }) => id),
      folded,
      calls: book.calls,
      matching: matching.length,
      sessions,
      nameOf,
      soon: book.calls.filter((call) => endsSoon(call, minute)).length,
    }
  }, [book, typed, kept, sessions, minute, folded])
}

function callsIn(lines: readonly ListLine[]): readonly WaitingCall[] {
  return lines.flatMap((line) => (line.kind === "call" ? [line.call] : []))
}

const none: readonly SessionView[] = []

/** One that has ended is listed no more; its calls keep the name they had, as long as somebody may look at them. */
function useSessionsSeen(items: readonly SessionView[]): ReadonlyMap<string, SessionView> {
  const seen = useRef<ReadonlyMap<string, SessionView>>(new Map())
  return useMemo(() => {
    seen.current = withEnded(items, seen.current)
    return seen.current
  }, [items])
}

/** A session that has only just begun is asked for at once, and once. */
function useUnknownSessions(
  calls: readonly WaitingCall[],
  sessions: ReadonlyMap<string, SessionView>,
  read: Read<unknown>,
): void {
  const asked = useRef(new Set<string>())
  useEffect(() => {
    if (read.state !== "ready") return
    const unknown = calls.filter(({ sessionKey }) => !sessions.has(sessionKey) && !asked.current.has(sessionKey))
    for (const { sessionKey } of unknown) asked.current.add(sessionKey)
    if (unknown.length > 0) read.again()
  }, [calls, sessions, read])
}
