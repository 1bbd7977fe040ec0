import type { SessionView } from "@byleave/api"
import { tokenName } from "@byleave/api/page"
import { ShownName, Stamp, TheirName } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useWaitingCalls } from "../../data/live/live.tsx"
import { useRead } from "../../data/use-read.ts"
import { firstCallOf } from "./first-call.ts"
import look from "./first-call-line.module.css"

type FirstCallLineProps = {
  /** The token made for the agent; null: whoever comes. */
  readonly principal: string | null
  /** Whether agents that were there before do not count. */
  readonly onlyNew: boolean
}

/** Waits for the agent's first call, and tells of it as it happens. */
export function FirstCallLine({ principal, onlyNew }: FirstCallLineProps): ReactNode {
  const read = useRead("listSessions")
  const [known, setKnown] = useState<ReadonlySet<string> | null>(onlyNew ? null : nobody)
  const sessions = read.state === "ready" ? read.value.items : null
  if (known === null && sessions !== null) setKnown(new Set(sessions.map(({ key }) => key)))
  const { count } = useWaitingCalls()
  const first = firstCallOf(known === null ? [] : (sessions ?? []), { known: known ?? nobody, principal })
  return (
    <div className={look.line} data-state={first.state} role="status">
      {first.state === "waiting" ? (
        <>
          <span className={look.pulse} aria-hidden="true" />
          <div>
            <p className={look.title}>Waiting for the first call…</p>
            <p className={look.words}>Start your agent and ask it to use a tool. This page updates by itself.</p>
          </div>
        </>
      ) : (
        <>
          <Stamp tone="yes">Connected</Stamp>
          <div>
            <p className={look.title}>
              <Who session={first.session} />{" "}
              {first.state === "called" ? (
                <>
                  called{" "}
                  <code>
                    <ShownName text={`${first.tool.server}(${first.tool.tool})`} />
                  </code>
                </>
              ) : (
                "is connected"
              )}
            </p>
            <p className={look.words}>
              {first.state === "connected" && "Waiting for its first call… "}
              <Link to="/sessions/$id" params={{ id: first.session.key }}>
                View session
              </Link>
              {count > 0 && (
                <>
                  {" · "}
                  <Link to="/">{count === 1 ? "1 call needs approval" : `${count} calls need approval`}</Link>
                </>
              )}
            </p>
          </div>
        </>
      )}
    </div>
  )
}

const nobody: ReadonlySet<string> = new Set()

function Who({ session: { client, principal } }: { readonly session: SessionView }): ReactNode {
  const name = client ?? tokenName(principal)
  return name === null ? "An agent" : <TheirName text={name} />
}
