import {
  BatchBar,
  Button,
  ChangeTreeView,
  DiffTools,
  FoldsContext,
  ReviewPanel,
  SendDialog,
  sendWords,
  useChangeSteps,
  useFolds,
} from "@byleave/ui"
import { Link, useParams } from "@tanstack/react-router"
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react"
import { useClient } from "../../data/client.tsx"
import { callLoader, currentLoader } from "../../data/load-calls.ts"
import { type GuardedPage, LeaveGuard } from "../places/leave-guard.tsx"
import { useBatch } from "../waiting/answer/use-batch.ts"
import look from "./review-page.module.css"
import { Around, SessionWords, WaysOn } from "./review-surroundings.tsx"
import { useChangeSet } from "./use-change-set.ts"
import { useKeptMarks } from "./use-kept-marks.ts"
import { type ReviewDraft, useReview } from "./use-review.ts"
import { useReviewKeys } from "./use-review-keys.ts"

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
