import type { SessionView } from "@byleave/api"
import { Ago, Left, ShownName, ShownText, TheirName, TheirWords, useNow } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { untilWords } from "../../shell/banners/until-words.ts"
import { modeWords } from "./mode/mode-words.ts"
import { isOwnSession } from "./own-session.ts"
import look from "./session-card.module.css"

/** Whether its program is there, and when that was last known. */
export function Presence({ session: { connection, lastSeenAt } }: { readonly session: SessionView }): ReactNode {
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

type SessionFactsProps = {
  readonly session: SessionView
  /** One below the other, with the id of the session: where it is the page's subject. */
  readonly isStacked?: boolean
}

/** Its mode, its agent, where that works and since when. */
export function SessionFacts({ session, isStacked = false }: SessionFactsProps): ReactNode {
  const now = useNow(minute)
  return (
    <dl className={look.facts} data-stacked={isStacked}>
      <Fact name="Mode">
        <strong>{modeWords(session.mode).label}</strong>
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
            <TheirName text={session.client} />
          </>
        )}
      </Fact>
      {session.runTitle !== null && (
        <Fact name={session.principal === "chat" ? "Thread" : "Run"}>
          <Link to={session.principal === "chat" ? "/chat/{-$id}" : "/runs/$id"} params={{ id: session.id }}>
            <TheirWords text={session.runTitle} />
          </Link>
        </Fact>
      )}
      {session.folder !== null && (
        <Fact name="Folder">
          <code>
            <ShownText text={session.folder} />
          </code>
        </Fact>
      )}
      {session.switches.length > 0 && (
        <Fact name="Started with">
          <code>
            <ShownText text={session.switches.join(" ")} />
          </code>
          . Its program asks less by itself; what reaches Byleave is decided here as always.
        </Fact>
      )}
      {session.startedAt !== null && (
        <Fact name="Started">
          <Ago at={session.startedAt} />
        </Fact>
      )}
      {isStacked && session.firstCall !== null && (
        <Fact name="First call">
          <code>
            <ShownName text={`${session.firstCall.server}(${session.firstCall.tool})`} />
          </code>
        </Fact>
      )}
      {isStacked && session.named && (
        <Fact name="Session">
          <code>
            <ShownName text={session.id} />
          </code>
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
