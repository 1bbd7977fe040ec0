import type { ApprovalView } from "@byleave/api"
import { type ReviewCall, readCall, statusWords } from "@byleave/ui"
import { useQueries } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { useClient } from "../../data/client.tsx"
import { useWaitingCalls } from "../../data/live/live.tsx"
import type { WaitingCall } from "../../data/live/waiting-table.ts"
import { shownBy } from "../../data/shown-by.ts"
import { read } from "../../data/use-read.ts"
import { changesFiles } from "../waiting/list/changes-files.ts"
import { callsBeside } from "./ways-on.ts"

/** As many as one answer to several may go to. */
const mostCalls = 100

type ChangeSet = {
  readonly calls: readonly ReviewCall[]
  readonly isReading: boolean
  /** Why some could not be read. */
  readonly problem: string | null
  readonly again: () => void
  /** Waiting calls of the session that are no part of it. */
  readonly beside: number
  /** Waiting changes beyond those that one review holds. */
  readonly left: number
}

/** The waiting calls of a session that change files, each whole and as it stands now. One that is settled meanwhile stays, and says so. */
export function useChangeSet(sessionKey: string): ChangeSet {
  const client = useClient()
  const book = useWaitingCalls()
  const [seen, setSeen] = useState<ReadonlyMap<string, WaitingCall>>(new Map())
  const waiting = useMemo(
    () => book.calls.filter((call) => call.sessionKey === sessionKey && changesFiles(call)),
    [book.calls, sessionKey],
  )
  const listed = useMemo(() => {
    const own = [...seen.values()].filter((call) => call.sessionKey === sessionKey)
    const now = new Map([...own, ...waiting].map((call) => [call.id, call]))
    return [...now.values()].slice(0, mostCalls)
  }, [seen, waiting, sessionKey])
  if (waiting.some((call) => seen.get(call.id) !== call)) {
    setSeen(new Map([...seen, ...waiting.map((call) => [call.id, call] as const)]))
  }
  const reads = useQueries({
    queries: listed.map(({ id }) => ({
      queryKey: [shownBy.getApproval, "getApproval", { params: { id } }],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        read(client, "getApproval", { params: { id } }, signal),
      select: readCall,
      enabled: (query: { readonly state: { readonly data: ApprovalView | undefined } }) => !isOver(query.state.data),
    })),
  })
  const calls = listed.flatMap((summary, at) => {
    const read = reads[at]?.data
    return read === undefined || read.changes.length === 0 ? [] : [{ listed: summary, ...read }]
  })
  const unread = waiting.filter(({ id }) => reads[listed.findIndex((each) => each.id === id)]?.data === undefined)
  const failed = reads.find(({ error, data }) => error !== null && data === undefined)
  return {
    calls,
    isReading: book.loading === "first" || reads.some(({ isLoading }) => isLoading),
    problem: failed?.error?.message ?? null,
    again: () => {
      for (const each of reads) if (each.error !== null) void each.refetch()
    },
    beside: callsBeside(
      book.calls,
      sessionKey,
      new Set([...calls.map(({ call }) => call.id), ...unread.map(({ id }) => id)]),
    ),
    left: Math.max(0, waiting.length - mostCalls),
  }
}

function isOver(approval: ApprovalView | undefined): boolean {
  return approval !== undefined && statusWords(approval)?.isGone === true
}
