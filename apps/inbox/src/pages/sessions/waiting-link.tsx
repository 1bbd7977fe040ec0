import type { SessionView } from "@byleave/api"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"

type WaitingLinkProps = {
  readonly session: SessionView
  /** Instead of how many wait, where that is said already. */
  readonly children?: ReactNode
}

/** How much of it waits, and the way there. */
export function WaitingLink({ session, children }: WaitingLinkProps): ReactNode {
  if (session.waiting === 0) return <p>No waiting calls</p>
  return (
    <p>
      <Link to="/" search={{ session: session.key } as never}>
        {children ?? (session.waiting === 1 ? "1 waiting call" : `${session.waiting} waiting calls`)}
      </Link>
    </p>
  )
}
