import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useWaitingCalls } from "../../data/live/live.tsx"

/** How many of a server's calls wait, and the way there. */
export function WaitingCallsLink({ server }: { readonly server: string }): ReactNode {
  const { calls } = useWaitingCalls()
  const count = calls.filter(({ tool }) => tool.server === server).length
  if (count === 0) return null
  return (
    <Link to="/" search={{ server } as never}>
      {count === 1 ? "1 waiting call" : `${count} waiting calls`}
    </Link>
  )
}
