import type { SessionView } from "@byleave/api"
import { sessionName } from "@byleave/api/page"
import { ShownName, Stamp } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useId } from "react"
import { modeWords } from "./mode/mode-words.ts"
import { ObservedLine } from "./observed-line.tsx"
import { RefusedTools } from "./refused-tools.tsx"
import look from "./session-card.module.css"
import { SessionControls } from "./session-controls.tsx"
import { Presence, SessionFacts } from "./session-facts.tsx"
import { SessionGrants } from "./session-grants.tsx"
import { WaitingLink } from "./waiting-link.tsx"

/** One session as a slip: on its stub when it was seen and what waits, beside it what it is. */
export function SessionCard({ session }: { readonly session: SessionView }): ReactNode {
  const title = useId()
  const { stamp, weight } = modeWords(session.mode)
  // A session that is over can only be looked at: its permissions and its mode ended with it.
  const isGone = session.connection.state === "gone" && session.endedAt !== null
  return (
    <section className={look.slip} data-weight={stamp === null ? "none" : weight} aria-labelledby={title}>
      <div className={look.stub}>
        <Presence session={session} />
        <WaitingLink session={session} />
      </div>
      <div className={look.body}>
        <header className={look.head}>
          <h2 id={title}>
            <Link className={look.name} to="/sessions/$id" params={{ id: session.key }}>
              <ShownName text={sessionName(session, session)} />
            </Link>
          </h2>
          {stamp !== null && <Stamp tone={weight === "strong" ? "no" : "wait"}>{stamp}</Stamp>}
          {!isGone && <SessionControls session={session} />}
        </header>
        <SessionFacts session={session} />
        <ObservedLine session={session} />
        {session.refused.length > 0 && <RefusedTools session={session} />}
        {session.grants.length > 0 && <SessionGrants session={session} />}
      </div>
    </section>
  )
}
