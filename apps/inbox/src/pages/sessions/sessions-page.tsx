import type { SessionView } from "@byleave/api"
import { Button, Empty, Page } from "@byleave/ui"
import { MessagesSquare } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { Reading } from "../places/reading.tsx"
import { SessionCard } from "./session-card.tsx"
import { liveInOrder } from "./session-order.ts"

const shownAtOnce = 50

/** Live sessions: their modes, what is remembered and refused in them, and their ends. */
export function SessionsPage(): ReactNode {
  const sessions = useRead("listSessions")
  return (
    <Page
      title="Sessions"
      lead="A session is one run of an agent: a chat, a terminal, a job. Permissions for a session end with it."
    >
      <Reading of={sessions} label="Loading sessions" lines={5}>
        {({ items }) => <Sessions sessions={liveInOrder(items)} />}
      </Reading>
    </Page>
  )
}

function Sessions({ sessions }: { readonly sessions: readonly SessionView[] }): ReactNode {
  const [shown, setShown] = useState(shownAtOnce)
  if (sessions.length === 0) {
    return (
      <Empty icon={<MessagesSquare />} title="No active sessions">
        A session appears here when one of its calls first needs approval.
      </Empty>
    )
  }
  const left = sessions.length - shown
  return (
    <>
      {sessions.slice(0, shown).map((session) => (
        <SessionCard key={session.key} session={session} />
      ))}
      {left > 0 && <Button onClick={() => setShown(shown + shownAtOnce)}>Show more ({left} left)</Button>}
    </>
  )
}
