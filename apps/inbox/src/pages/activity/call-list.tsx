import type { CallView } from "@byleave/api"
import { sessionName, shortSessionName } from "@byleave/api/page"
import { isRunPrincipal, showText } from "@byleave/core"
import { lengthInWords, Mark, rowText, ShownName, ShownText, tookInWords } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { memo, type ReactNode } from "react"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import list from "../places/long-list.module.css"
import look from "./call-list.module.css"
import { argsLine, decisionWords, outcomeWords, reasonShown, toolText } from "./call-words.ts"
import { byDay, clockTime, dayInWords } from "./merge-newest.ts"

/** Calls by day, one line each where there is room for it. */
export function CallList({ calls }: { readonly calls: readonly CallView[] }): ReactNode {
  const sessions = useSessionsOf(calls.map(({ sessionKey }) => sessionKey))
  return (
    <div className={look.list}>
      <p className={look.heads} aria-hidden="true">
        <span>Time</span>
        <span>Tool and arguments</span>
        <span>Policy</span>
        <span>Outcome</span>
        <span>Agent</span>
      </p>
      {byDay(calls, dayInWords).map((day) => (
        <section key={day.key} aria-label={day.label}>
          <h2 className={list.day}>{day.label}</h2>
          <ul>
            {day.items.map((call) => (
              <CallRow
                key={call.id}
                call={call}
                agent={shortSessionName(sessions.get(call.sessionKey), call.session)}
                session={sessionName(sessions.get(call.sessionKey), { ...call.session, named: true })}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type CallRowProps = {
  readonly call: CallView
  readonly agent: string
  /** The whole name: sessions of one agent in one folder are told apart by it. */
  readonly session: string
}

const CallRow = memo(function CallRow({ call, agent, session }: CallRowProps): ReactNode {
  const decision = decisionWords(call)
  const outcome = outcomeWords(call)
  return (
    <li className={`${list.item} ${look.item}`}>
      <Link className={`${list.row} ${look.row}`} to="/activity/$id" params={{ id: call.id }}>
        <time className={look.time} dateTime={new Date(call.at).toISOString()}>
          {clockTime(call.at)}
        </time>
        <span className={`one-line ${look.tool}`} title={showText(`${rowText(toolText(call))} ${argsLine(call)}`)}>
          <code className={look.name}>
            <ShownName text={rowText(toolText(call))} />
          </code>{" "}
          <span className="aside">
            <ShownName text={argsLine(call)} />
          </span>
        </span>
        <span className={look.decision}>
          <Mark tone={decision.tone}>{decision.words}</Mark>
        </span>
        <span className={`one-line ${look.outcome}`}>
          <Mark tone={outcome.tone}>{outcome.words}</Mark> <Aside call={call} />
          <Reason call={call} />
        </span>
      </Link>
      <Link className={`one-line ${look.agent}`} {...callerLink(call)} title={showText(session)}>
        <span className="only-read-aloud">Session of </span>
        <ShownName text={agent} />
      </Link>
    </li>
  )
})

/** To the session, or to the agent run that has its id. */
export function callerLink({ principal, session, sessionKey }: Pick<CallView, "principal" | "session" | "sessionKey">) {
  if (principal === "chat") return { to: "/chat/{-$id}", params: { id: session.id } } as const
  return isRunPrincipal(principal)
    ? ({ to: "/runs/$id", params: { id: session.id } } as const)
    : ({ to: "/sessions/$id", params: { id: sessionKey } } as const)
}

/** Why it was denied, so that nobody has to open it to know. */
function Reason({ call }: { readonly call: CallView }): ReactNode {
  const reason = reasonShown(call)
  return reason === null ? null : (
    <span className={`one-line ${look.reason}`} title={showText(reason)}>
      <ShownName text={reason} />
    </span>
  )
}

/** Who answered and how fast; otherwise how long it took. */
function Aside({ call }: { readonly call: CallView }): ReactNode {
  if (call.decidedBy !== null) {
    return (
      <span className={look.aside}>
        by <ShownText text={call.decidedBy} />
        {call.decidedAfterMs === null ? "" : ` after ${lengthInWords(call.decidedAfterMs)}`}
      </span>
    )
  }
  return call.tookMs === null ? null : <span className={look.aside}>{tookInWords(call.tookMs)}</span>
}
