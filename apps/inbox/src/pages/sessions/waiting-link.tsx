import type { SessionView } from "@byleave/api"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"

/** How much of it waits, and the way there. */
export function WaitingLink({ session }: { readonly session: SessionView }): ReactNode {
  if (session.waiting === 0) return <p>No waiting calls</p>
  return (
    <p>
      <Link to="/" search={{ session: session.key } as never}>
        {session.waiting === 1 ? "1 waiting call" : `${session.waiting} waiting calls`}
      </Link>
    </p>
  )
}
