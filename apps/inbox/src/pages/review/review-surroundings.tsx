/** The frame around the changes of a review: the session above them, notices, and links to go on with. */
import { shortSessionName } from "@byleave/api/page"
import { Button, Empty, Loading, Notice, type ReviewCall, TheirName } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { CheckCheck } from "lucide-react"
import type { ReactNode } from "react"
import { useWaitingCalls } from "../../data/live/live.tsx"
import { useRead } from "../../data/use-read.ts"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import look from "./review-page.module.css"
import type { useChangeSet } from "./use-change-set.ts"
import { besideWords, nextReview } from "./ways-on.ts"

type SessionWordsProps = { readonly sessionKey: string; readonly calls: readonly ReviewCall[] }

export function SessionWords({ sessionKey, calls }: SessionWordsProps): ReactNode {
  const sessions = useRead("listSessions", { query: { keys: sessionKey } })
  const session = sessions.state === "ready" ? sessions.value.items[0] : undefined
  const open = calls.filter(({ call }) => call.status === "pending").length
  return (
    <p className="aside">
      {session !== undefined && (
        <>
          <Link to="/sessions/$id" params={{ id: sessionKey }}>
            <TheirName text={shortSessionName(session, session)} />
          </Link>
          {open > 0 && ` wants to make ${open === 1 ? "1 change" : `${open} changes`}`}
          {" · "}
        </>
      )}
      <Link to="/">All waiting calls</Link>
    </p>
  )
}

/** Notices above the changes, or a word in their place where there are none. */
export function Around({
  set,
  sessionKey,
}: {
  readonly set: ReturnType<typeof useChangeSet>
  readonly sessionKey: string
}): ReactNode {
  return (
    <>
      {set.beside > 0 && !set.isReading && (
        <p className={look.beside}>
          {besideWords(set.beside)}.{" "}
          <Link to="/" search={{ session: sessionKey } as never}>
            Show {set.beside === 1 ? "it" : "them"}
          </Link>
        </p>
      )}
      {set.problem !== null && (
        <Notice
          tone="no"
          title="Some changes could not be read"
          actions={<Button onClick={set.again}>Try again</Button>}
        >
          {set.problem}
        </Notice>
      )}
      {set.left > 0 && (
        <Notice tone="know" title={`${set.left} more changes are waiting`}>
          A review holds 100 changes. The others follow once these are decided.
        </Notice>
      )}
      {set.calls.length === 0 &&
        set.problem === null &&
        (set.isReading ? (
          <Loading label="Loading changes" lines={8} />
        ) : (
          <Empty icon={<CheckCheck />} title="No changes are waiting">
            <p>This session has no file changes waiting for a decision.</p>
            <Link to="/">All waiting calls</Link>
          </Empty>
        ))}
    </>
  )
}

/** Where to go once nothing here waits any more: the next agent's review, if there is one, and the list. */
export function WaysOn({ sessionKey }: { readonly sessionKey: string }): ReactNode {
  const { calls } = useWaitingCalls()
  const next = nextReview(calls, sessionKey)
  const sessions = useSessionsOf(next === null ? [] : [next.first.sessionKey])
  return (
    <p className={look.ways}>
      {next !== null && (
        <Link to="/review/$session" params={{ session: next.first.sessionKey }}>
          Review {next.changes} changes of{" "}
          <TheirName text={shortSessionName(sessions.get(next.first.sessionKey) ?? null, next.first.session)} />
        </Link>
      )}
      <Link to="/">All waiting calls</Link>
    </p>
  )
}
