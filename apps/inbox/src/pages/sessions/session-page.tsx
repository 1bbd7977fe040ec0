import type { SessionView } from "@byleave/api"
import { shortSessionName } from "@byleave/api/page"
import { showText } from "@byleave/core"
import { Ago, Empty, Notice, Page, Sheet, Stamp } from "@byleave/ui"
import { Link, useParams } from "@tanstack/react-router"
import { Ghost } from "lucide-react"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { Reading } from "../places/reading.tsx"
import { DenyWaiting } from "./deny-waiting.tsx"
import { AutonomySwitches } from "./mode/autonomy-switches.tsx"
import { modeWords } from "./mode/mode-words.ts"
import { ObservedLine } from "./observed-line.tsx"
import { isOwnSession } from "./own-session.ts"
import { RefusedTools } from "./refused-tools.tsx"
import { SessionControls } from "./session-controls.tsx"
import { Presence, SessionFacts } from "./session-facts.tsx"
import { SessionGrants } from "./session-grants.tsx"
import { isOver } from "./session-over.ts"
import look from "./session-page.module.css"
import { SessionTimeline } from "./timeline/session-timeline.tsx"
import { WaitingLink } from "./waiting-link.tsx"

/** One session: who it is, what it may do, and every call it made. */
export function SessionPage(): ReactNode {
  const { id = "" } = useParams({ strict: false }) as { readonly id?: string }
  const sessions = useRead("listSessions", { query: { keys: id } })
  const session = sessions.state === "ready" ? sessions.value.items[0] : undefined
  return (
    <Page
      title={session === undefined ? "Session" : showText(shortSessionName(session, session))}
      lead={
        <>
          Every call of this session, with its decision and outcome. <Link to="/sessions">All sessions</Link>
        </>
      }
      actions={session === undefined || isOver(session) ? undefined : <SessionControls session={session} />}
    >
      <Reading of={sessions} label="Loading session" lines={6}>
        {({ items: [known] }) => (known === undefined ? <UnknownSession /> : <Story key={known.key} session={known} />)}
      </Reading>
    </Page>
  )
}

function UnknownSession(): ReactNode {
  return (
    <Sheet label="Unknown session">
      <Empty icon={<Ghost />} title="Session not found">
        <p>Sessions are removed thirty days after they were last seen. Their calls stay in the audit trail.</p>
        <Link to="/activity">Show all calls</Link>
      </Empty>
    </Sheet>
  )
}

function Story({ session }: { readonly session: SessionView }): ReactNode {
  const over = isOver(session)
  return (
    <>
      {over && session.endedAt !== null && (
        <Notice tone="know" title="This session has ended">
          <p>
            It ended <Ago at={session.endedAt} />. Its permissions and its mode ended with it; its calls stay here.
          </p>
        </Notice>
      )}
      {!isOwnSession(session) && <DenyWaiting session={session} />}
      <div className={look.story}>
        <About session={session} isOver={over} />
        <SessionTimeline session={session} isLive={!over} />
      </div>
    </>
  )
}

/** The session as a slip: who it is above, what it may do below. */
function About({ session, isOver: over }: { readonly session: SessionView; readonly isOver: boolean }): ReactNode {
  const { stamp, weight } = modeWords(session.mode)
  return (
    <section className={look.about} data-weight={stamp === null ? "none" : weight} aria-label="About this session">
      <div className={look.stub}>
        <Presence session={session} />
        <WaitingLink session={session} />
        {stamp !== null && <Stamp tone={weight === "strong" ? "no" : "wait"}>{stamp}</Stamp>}
      </div>
      <div className={look.facts}>
        <SessionFacts session={session} isStacked />
        <ObservedLine session={session} />
        {!over && !isOwnSession(session) && <AutonomySwitches session={session} />}
        {session.refused.length > 0 && <RefusedTools session={session} />}
        {session.grants.length > 0 ? (
          <SessionGrants session={session} />
        ) : (
          !over && <p className="aside">No permissions for this session.</p>
        )}
      </div>
    </section>
  )
}
