import type { ApprovalSummaryView } from "@byleave/api"
import { ApprovalRow, Button, Loading, Notice } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useRead } from "../../../data/use-read.ts"
import { useSessionsOf } from "../../../data/use-sessions-of.ts"
import type { WaitingList } from "../list/use-waiting-list.ts"
import look from "./settled-calls.module.css"
import { byNewestEnd } from "./settled-order.ts"

const status = "running,succeeded,failed,unknown,denied,expired,cancelled,superseded,approved"

type SettledCallsProps = {
  readonly list: WaitingList
  readonly openId: string | null
  readonly onOpen: (call: ApprovalSummaryView) => void
}

/** Recent decisions, below what waits. */
export function SettledCalls({ list, openId, onOpen }: SettledCallsProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const read = useRead("listApprovals", { query: { status, limit: 20 } }, { enabled: isOpen })
  const calls = read.state === "ready" ? read.value.items : []
  const sessions = useSessionsOf(calls.map(({ sessionKey }) => sessionKey))
  return (
    <details className={look.settled} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Recent decisions</summary>
      {isOpen && read.state === "loading" && <Loading label="Loading recent decisions" lines={3} />}
      {isOpen && read.state === "problem" && (
        <Notice
          tone="no"
          actions={
            <Button size="small" onClick={read.again}>
              Try again
            </Button>
          }
        >
          {read.problem.detail}
        </Notice>
      )}
      {isOpen && read.state === "ready" && (
        <ul className={look.rows}>
          {byNewestEnd(read.value.items).map((call) => (
            <li key={call.id}>
              <ApprovalRow
                approval={call}
                session={list.sessions.get(call.sessionKey) ?? sessions.get(call.sessionKey) ?? null}
                isOpen={call.id === openId}
                onOpen={onOpen}
              />
            </li>
          ))}
          {read.value.items.length === 0 && <li className={look.none}>No decisions yet.</li>}
        </ul>
      )}
    </details>
  )
}
