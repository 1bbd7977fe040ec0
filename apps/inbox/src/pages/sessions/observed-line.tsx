import type { SessionView } from "@byleave/api"
import { countOf } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"

/** How much of a session would have been asked about while it was observed, also after that has ended. */
export function ObservedLine({ session }: { readonly session: SessionView }): ReactNode {
  const read = useRead("observedCalls")
  const calls = read.state === "ready" ? (read.value.sessions.find(({ key }) => key === session.key)?.calls ?? 0) : 0
  if (calls === 0) return null
  return (
    <p className="aside">
      {`${countOf(calls, "call")} would have needed approval ${session.mode === "observe" ? "so far" : "while it was observed"}. `}
      <Link to="/policy" hash="observed">
        See the report
      </Link>
    </p>
  )
}
