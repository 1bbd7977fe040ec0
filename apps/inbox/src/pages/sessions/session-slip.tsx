import type { SessionView } from "@byleave/api"
import { sessionName } from "@byleave/api/page"
import { Ago, Left, ShownName, ShownText, Stamp, useNow } from "@byleave/ui"
import { type ReactNode, useId } from "react"
import { untilWords } from "../../shell/until-words.ts"
import { modeWords } from "./mode-words.ts"
import { isOwnSession } from "./own-session.ts"
import { RefusedTools } from "./refused-tools.tsx"
import { SessionControls } from "./session-controls.tsx"
import { SessionGrants } from "./session-grants.tsx"
import look from "./session-slip.module.css"
import { WaitingLink } from "./waiting-link.tsx"

/** One session as a slip: on its stub when it was seen and what waits, beside it what it is. */
export function SessionSlip({ session }: { readonly session: SessionView }): ReactNode {
  const title = useId()
  const { stamp, weight } = modeWords[session.mode]
  // What has left can only be looked at: its permissions and its mode ended with it.
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
            <ShownName text={sessionName(session, session)} />
          </h2>
          {stamp !== null && <Stamp tone={weight === "strong" ? "no" : "wait"}>{stamp}</Stamp>}
          {!isGone && <SessionControls session={session} />}
        </header>
        <SessionFacts session={session} />
        {session.refused.length > 0 && <RefusedTools session={session} />}
        {session.grants.length > 0 && <SessionGrants session={session} />}
      </div>
    </section>
  )
}

/** Whether its program is there, and when that was last known. */
function Presence({ session: { connection, lastSeenAt } }: { readonly session: SessionView }): ReactNode {
  const at = connection.state === "gone" ? connection.since : lastSeenAt
  return (
    <p>
      {at === null ? "Not seen since" : presenceLabels[connection.state]}
      <br />
      <strong>{at === null ? "Byleave started" : <Ago at={at} />}</strong>
    </p>
  )
}

const presenceLabels = {
  connected: "Connected, active",
  gone: "Disconnected",
  unknown: "Last seen",
} as const satisfies Record<SessionView["connection"]["state"], string>

const minute = 60_000

function SessionFacts({ session }: { readonly session: SessionView }): ReactNode {
  const now = useNow(minute)
  return (
    <dl className={look.facts}>
      <Fact name="Mode">
        <strong>{modeWords[session.mode].label}</strong>
        {session.modeUntil !== null && (
          <>
            {` until ${untilWords(session.modeUntil, now)} (`}
            <Left until={session.modeUntil} />)
          </>
        )}
        {session.modeBy !== null && session.mode !== "ask" && (
          <>
            {", set by "}
            <ShownText text={session.modeBy} />
          </>
        )}
      </Fact>
      <Fact name="Agent">
        <ShownName text={session.principal} />
        {session.client !== null && (
          <>
            {", identifies as "}
            <ShownName text={session.client} />
          </>
        )}
      </Fact>
      {session.folder !== null && (
        <Fact name="Folder">
          <code>
            <ShownText text={session.folder} />
          </code>
        </Fact>
      )}
      {session.startedAt !== null && (
        <Fact name="Started">
          <Ago at={session.startedAt} />
        </Fact>
      )}
      {isOwnSession(session) ? (
        <Fact name="Scope">Byleave's own session, for changes to its configuration.</Fact>
      ) : (
        !session.named && (
          <Fact name="Scope">This agent does not distinguish sessions: all its calls belong to this one.</Fact>
        )
      )}
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
