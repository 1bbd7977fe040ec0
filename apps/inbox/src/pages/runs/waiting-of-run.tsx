import type { RunDetailsView } from "@byleave/api"
import { ApprovalRow, type ApprovalsByCall, calledText, InSteps, Sheet, ShownName } from "@byleave/ui"
import { Link, useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import look from "./waiting-of-run.module.css"
import { waitingTitle } from "./waiting-title.ts"

type WaitingOfRunProps = { readonly details: RunDetailsView; readonly approvals: ApprovalsByCall }

/** The calls that a paused run waits for, each leading to its card; those already decided stay until it continues. */
export function WaitingOfRun({ details: { requirements }, approvals }: WaitingOfRunProps): ReactNode {
  const router = useRouter()
  const rows = requirements.map((each) => ({ ...each, approval: approvals.get(each.toolCall) ?? each.approval }))
  const sessions = useSessionsOf(rows.flatMap(({ approval }) => approval?.sessionKey ?? []))
  const waiting = rows.filter(({ approval }) => approval?.status === "pending")
  const [first] = waiting
  return (
    <section className={look.waiting} aria-label="Waiting for approval" data-waits={waiting.length > 0}>
      <Sheet
        title={waitingTitle(waiting.length, rows.length)}
        actions={
          waiting.length > 1 && first?.approval != null ? (
            <Link to="/" search={{ session: first.approval.sessionKey } as never}>
              Review them together
            </Link>
          ) : undefined
        }
      >
        <ul>
          <InSteps items={rows} one="call">
            {({ id, tool, approval }) => (
              <li key={id}>
                {approval === null ? (
                  <p className={look.judged}>
                    <code>
                      <ShownName text={calledText({ kind: "tool", tool })} />
                    </code>{" "}
                    <span className="soft">
                      The policy no longer asks about it: it is checked when the run continues.
                    </span>
                  </p>
                ) : (
                  <ApprovalRow
                    approval={approval}
                    session={sessions.get(approval.sessionKey) ?? null}
                    isOpen={false}
                    onOpen={(call) => void router.navigate({ href: `/?open=${encodeURIComponent(call.id)}` })}
                  />
                )}
              </li>
            )}
          </InSteps>
        </ul>
      </Sheet>
    </section>
  )
}
