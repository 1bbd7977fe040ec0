import type { ApprovalSummaryView, SessionView } from "@byleave/api"
import { ApprovalRow } from "@byleave/ui"
import type { ReactNode } from "react"
import { useRead } from "../../../data/use-read.ts"
import { useSessionsOf } from "../../../data/use-sessions-of.ts"
import { type CallFilter, filterCalls } from "../list/filter-calls.ts"
import type { WaitingList } from "../list/use-waiting-list.ts"
import look from "./settled-calls.module.css"

const most = 100

type NotRunProps = {
  readonly openId: string | null
  readonly onOpen: (call: ApprovalSummaryView) => void
}

/** Approved calls whose agents have left, below what waits: they run if the agent comes back, or on a reviewer's word. */
export function NotRunCalls({
  list,
  filter,
  ...props
}: NotRunProps & { readonly list: WaitingList; readonly filter: CallFilter }): ReactNode {
  const read = useRead("listApprovals", { query: { status: "approved", limit: most } })
  const all = read.state === "ready" ? notRun(read.value.items) : []
  // They expire hours later: what ends soon is asked of waiting calls alone.
  const calls = filterCalls(all, { ...filter, soon: false }, list.nameOf, 0)
  const sessions = useSessionsOf(calls.map(({ sessionKey }) => sessionKey))
  return (
    <NotRunRows
      calls={calls}
      isAll={read.state !== "ready" || read.value.next === null}
      sessionOf={(key) => list.sessions.get(key) ?? sessions.get(key) ?? null}
      {...props}
    />
  )
}

/** While its agent waits, an approved call is about to run; one of an agent run does when the run continues. */
export function notRun(calls: readonly ApprovalSummaryView[]): readonly ApprovalSummaryView[] {
  return calls.filter(({ status, callerWaits, run }) => status === "approved" && !callerWaits && run === undefined)
}

export function NotRunRows({
  calls,
  isAll,
  sessionOf,
  openId,
  onOpen,
}: NotRunProps & {
  readonly calls: readonly ApprovalSummaryView[]
  readonly isAll: boolean
  readonly sessionOf: (key: string) => SessionView | null
}): ReactNode {
  if (calls.length === 0) return null
  return (
    <details className={look.settled} data-not-run="" open>
      <summary>
        <h2 className={look.heading}>
          Approved, not run yet <span className={look.count}>{isAll ? calls.length : `${calls.length}+`}</span>
        </h2>
      </summary>
      <p className={look.lead}>
        Already decided. The agent stopped waiting. Open a call to run it now or revoke the approval.
      </p>
      <ul className={look.rows}>
        {calls.map((call) => (
          <li key={call.id}>
            <ApprovalRow
              approval={call}
              session={sessionOf(call.sessionKey)}
              isOpen={call.id === openId}
              isQuiet={true}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}
