import { shortSessionName } from "@byleave/api/page"
import {
  BatchBar,
  Button,
  ChangeTreeView,
  DiffTools,
  Empty,
  FoldsContext,
  Loading,
  Notice,
  type ReviewCall,
  ReviewPanel,
  SendDialog,
  sendWords,
  TheirName,
  useChangeSteps,
  useFolds,
} from "@byleave/ui"
import { Link, useParams } from "@tanstack/react-router"
import { CheckCheck } from "lucide-react"
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react"
import { useClient } from "../../data/client.tsx"
import { useWaitingCalls } from "../../data/live/live.tsx"
import { callLoader, currentLoader } from "../../data/load-calls.ts"
import { useRead } from "../../data/use-read.ts"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import { type GuardedPage, LeaveGuard } from "../places/leave-guard.tsx"
import { useBatch } from "../waiting/answer/use-batch.ts"
import look from "./review-page.module.css"
import { useChangeSet } from "./use-change-set.ts"
import { useKeptMarks } from "./use-kept-marks.ts"
import { type ReviewDraft, useReview } from "./use-review.ts"
import { useReviewKeys } from "./use-review-keys.ts"
import { besideWords, nextReview } from "./ways-on.ts"

/** The waiting changes of one session as one review: each file with its difference, its answer and comments, sent together. */
export function ReviewPage(): ReactNode {
  const { session: sessionKey = "" } = useParams({ strict: false }) as { readonly session?: string }
  return <Review key={sessionKey} sessionKey={sessionKey} />
}

function Review({ sessionKey }: { readonly sessionKey: string }): ReactNode {
  const set = useChangeSet(sessionKey)
  const review = useReview(set.calls)
  const batch = useBatch(() => undefined)
  useKeptMarks(sessionKey, set.calls, review, batch.answers !== null)
  const client = useClient()
  const loadCalls = useMemo(() => callLoader(client), [client])
  const place = useRef<HTMLDivElement>(null)
  const at = useFocusedCall(place)
  const [isSending, setSending] = useState(false)
  const steps = useChangeSteps(place, true)
  const { folds, closed } = useFolds()
  const { allowed, denied, unanswered } = review.summary
  const isFinished = allowed.length + denied.length + unanswered.length === 0
  const canSend = allowed.length + denied.length > 0 && !batch.isSending && batch.unsent === null
  const isAnswered = batch.answers !== null || batch.unsent !== null || batch.isSending
  const sent = new Set(batch.answers?.map(({ approval }) => approval.id))
  // Until the answers have arrived. What is decided can be read again.
  const isOff = isAnswered && !isFinished
  const goTo = (id: string): void => {
    const panel = place.current?.querySelector<HTMLElement>(`[data-call="${CSS.escape(id)}"]`)
    panel?.scrollIntoView({ block: "start" })
    panel?.focus({ preventScroll: true })
  }
  useReviewKeys({
    place,
    at,
    onAnswer: (id, answer) => {
      const each = review.ordered.find(({ call }) => call.id === id)
      if (each !== undefined && !(answer === "allow" && review.summary.whyNot.has(id))) review.answer([each], answer)
    },
    onSend: () => canSend && setSending(true),
  })
  return (
    <div className={look.page} data-fills data-card-open={true}>
      <LeaveGuard
        isEdited={review.isBegun && !isAnswered}
        isLeft={isLeft}
        title="Leave without sending?"
        stay="Stay and keep the review"
      >
        Your decisions, reasons and comments have not been sent. If you leave this page, they are lost; the calls keep
        waiting.
      </LeaveGuard>
      <header className={look.head}>
        <div>
          <h1 tabIndex={-1}>Review changes</h1>
          <SessionWords sessionKey={sessionKey} calls={set.calls} />
        </div>
        {review.ordered.length > 0 && <DiffTools steps={steps} />}
      </header>
      <div className={look.parts} ref={place}>
        {review.ordered.length > 0 && (
          <nav className={look.tree} aria-label="Changed files">
            <ChangeTreeView tree={review.tree} at={at} onGo={goTo} />
          </nav>
        )}
        <div className={look.panels} {...(isOff ? scrolledByKeys : {})}>
          <Around set={set} sessionKey={sessionKey} />
          <FoldsContext value={folds}>
            <Panels review={review} isOff={isOff} sent={sent} />
          </FoldsContext>
        </div>
      </div>
      <footer className={look.foot}>
        {isAnswered ? (
          <BatchBar
            chosen={[]}
            loadCalls={loadCalls}
            {...batch}
            {...(isFinished ? { after: <WaysOn sessionKey={sessionKey} /> } : {})}
          />
        ) : (
          review.ordered.length > 0 &&
          (isFinished ? (
            <section className={look.bar} aria-label="Your review">
              <p className={look.counts} role="status">
                All changes here are decided.
              </p>
              <WaysOn sessionKey={sessionKey} />
            </section>
          ) : (
            <SendBar review={review} isCollapsed={closed > 0} onSend={() => setSending(true)} />
          ))
        )}
      </footer>
      {isSending && canSend && (
        <SendDialog
          summary={review.summary}
          comments={review.comments}
          reasons={review.reasons}
          onClose={() => setSending(false)}
          onSend={(verdicts) => {
            setSending(false)
            batch.onSend(verdicts)
          }}
        />
      )}
    </div>
  )
}

/** Nothing in them takes the focus then. */
const scrolledByKeys = { tabIndex: 0, role: "region", "aria-label": "Changes" }

/** The call that one is at, for the tree. */
function useFocusedCall(place: RefObject<HTMLElement | null>): string | null {
  const [at, setAt] = useState<string | null>(null)
  useEffect(() => {
    const element = place.current
    const onFocusIn = ({ target }: FocusEvent): void => {
      const id = target instanceof Element ? target.closest<HTMLElement>("[data-call]")?.dataset.call : undefined
      if (id !== undefined) setAt(id)
    }
    element?.addEventListener("focusin", onFocusIn)
    return () => element?.removeEventListener("focusin", onFocusIn)
  }, [place])
  return at
}

function isLeft(from: GuardedPage, to: GuardedPage): boolean {
  return from.pathname !== to.pathname
}

type SessionWordsProps = { readonly sessionKey: string; readonly calls: readonly ReviewCall[] }

function SessionWords({ sessionKey, calls }: SessionWordsProps): ReactNode {
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

/** What stands above the changes, or in their place. */
function Around({
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

type PanelsProps = { readonly review: ReviewDraft; readonly isOff: boolean; readonly sent: ReadonlySet<string> }

function Panels({ review, isOff, sent }: PanelsProps): ReactNode {
  const client = useClient()
  const loadCurrent = useMemo(() => currentLoader(client), [client])
  return (
    <div className={look.list} inert={isOff}>
      {review.ordered.map((each) => (
        <ReviewPanel
          key={each.call.id}
          call={each.call}
          changes={each.changes}
          isTooLong={each.isTooLong}
          shownAs={each.key}
          answer={review.answerOf(each)}
          whyNot={review.summary.whyNot.get(each.call.id) ?? null}
          isDrawn={review.isDrawn(each)}
          isSent={sent.has(each.call.id)}
          isShared={review.isShared(each)}
          comments={review.commentsOf(each)}
          reason={review.reasonOf(each)}
          loadCurrent={loadCurrent}
          onAnswer={(answer) => review.answer([each], answer)}
          onComments={(comments) => review.comment(each, comments)}
          onReason={(reason) => review.setReason(each, reason)}
          onRevealed={() => review.reveal(each)}
          onDrawn={() => review.draw(each)}
          onCounts={(counts) => review.count(each.call.id, counts)}
          card={
            <Link to="/" search={{ open: each.call.id } as never}>
              Open the call
            </Link>
          }
        />
      ))}
    </div>
  )
}

/** Where to go once nothing here waits any more: the next agent's review, if there is one, and the list. */
function WaysOn({ sessionKey }: { readonly sessionKey: string }): ReactNode {
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

type SendBarProps = {
  readonly review: ReviewDraft
  /** Something of the changes is folded away. */
  readonly isCollapsed: boolean
  readonly onSend: () => void
}

function SendBar({ review, isCollapsed, onSend }: SendBarProps): ReactNode {
  const { allowed, denied, unanswered } = review.summary
  return (
    <section className={look.bar} aria-label="Your review">
      <p className={look.counts} role="status">
        <strong>{allowed.length}</strong> allowed · <strong>{denied.length}</strong> denied ·{" "}
        <strong>{unanswered.length}</strong> undecided
        {isCollapsed && " · Some changes are collapsed"}
      </p>
      <div className={look.actions}>
        <Button disabled={unanswered.length === 0} onClick={() => review.answer(unanswered, "deny")}>
          Deny the rest
        </Button>
        <Button tone="yes" disabled={allowed.length + denied.length === 0} onClick={onSend}>
          {allowed.length + denied.length === 0
            ? "Send…"
            : `Send: ${sendWords(allowed.length, denied.length).toLowerCase()}…`}
        </Button>
      </div>
    </section>
  )
}
