import type { ApprovalView, ServerView } from "@byleave/api"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { Button } from "../parts/button.tsx"
import { AnswerRow } from "./answer-row.tsx"
import { answersOffered, runArguments, votesSoFar } from "./answers-offered.ts"
import { ArgumentEditor } from "./argument-editor.tsx"
import { DenyDialog } from "./deny-dialog.tsx"
import { DropChangesDialog } from "./drop-changes-dialog.tsx"
import { RefusedNotice } from "./refused-notice.tsx"
import { type FirstChoice, RememberDialog } from "./remember-dialog.tsx"
import { useArgumentEdit } from "./use-argument-edit.ts"
import { useSettled } from "./use-settled.ts"
import { useStopEditing } from "./use-stop-editing.ts"
import { useVerdictKeys } from "./use-verdict-keys.ts"
import type { CardHands, LoadCheck, Verdict, VerdictState } from "./verdict.ts"
import look from "./verdict-bar.module.css"

export type VerdictBarProps = {
  readonly approval: ApprovalView
  /** Null: it is not known, and nothing is offered that needs its tools. */
  readonly server: ServerView | null
  /** The other calls that wait, of any session. */
  readonly alsoWaiting: readonly ApprovalView[]
  readonly verdict: VerdictState
  readonly hands: Pick<CardHands, "onVerdict" | "onEdited">
  /** The card has only just appeared. */
  readonly isFresh: boolean
  /** Why it cannot be allowed yet, such as a secret nobody has looked at; null: it can. */
  readonly blocked: string | null
  /** Unfolds what of the arguments is folded away on the card; null: nothing is. */
  readonly onShowAll: (() => void) | null
  readonly loadCheck?: LoadCheck
  /** False where another card on the page has the keys. */
  readonly hasKeys?: boolean
}

/** Everything a person can say to a call that waits. One that waits no more has no answers left; whoever came too late is told. */
export function VerdictBar(props: VerdictBarProps): ReactNode {
  if (props.approval.status !== "pending") return <TooLate verdict={props.verdict} />
  // What was begun for other arguments is not carried over to these.
  return <Answers key={`${props.approval.id} ${props.approval.runDigest}`} {...props} />
}

type Open = { readonly kind: "deny" } | { readonly kind: "remember"; readonly first: FirstChoice }

const settleMs = 500

function Answers(props: VerdictBarProps): ReactNode {
  const { approval, server, alsoWaiting, verdict, blocked, loadCheck, hasKeys = true } = props
  const place = useRef<HTMLElement | null>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const edit = useArgumentEdit(approval, verdict, loadCheck)
  const send = useSendOnce(props)
  const isSettled = useSettled(approval.id, settleMs) && !props.isFresh
  const isSending = verdict.state === "sending"
  const stopping = useStopEditing(edit, isSending, place)
  const offered = answersOffered(approval)
  useCloseWhenDone(verdict, () => setOpen(null))
  useTellEdited(edit.isTyped && !isSending, props.hands.onEdited)

  const allowOnce = (): void => {
    if (edit.isOpen && edit.toSend === null) return
    send({ kind: "approve", digest: approval.runDigest, ...(edit.toSend === null ? {} : { args: edit.toSend }) })
  }
  useVerdictKeys({
    place,
    isOn: hasKeys,
    state: { isFresh: !isSettled, isBlocked: blocked !== null, isSending },
    onMeant: (meaning) => (meaning === "allow-once" ? allowOnce() : setOpen({ kind: "deny" })),
  })

  return (
    <section ref={place} className={look.bar} aria-label="Your answer">
      {edit.isOpen && (
        <div className={look.editing}>
          <ArgumentEditor edit={edit} />
        </div>
      )}
      <div className={look.foot}>
        <BeforeAnswering
          approval={approval}
          whyOnlyOnce={offered.whyOnlyOnce}
          blocked={blocked}
          onShowAll={props.onShowAll}
        />
        {verdict.state === "refused" && open === null && <RefusedNotice verdict={verdict} />}
        <AnswerRow
          approval={approval}
          server={server}
          offered={offered}
          edit={edit}
          isBlocked={blocked !== null || runArguments(approval) === null}
          isSettled={isSettled}
          sending={verdict.state === "sending" ? verdict.kind : null}
          onAllowOnce={allowOnce}
          onDeny={() => send({ kind: "deny", digest: approval.runDigest })}
          onDenyWithReason={() => setOpen({ kind: "deny" })}
          onRemember={(first) => setOpen({ kind: "remember", first })}
        >
          {hasKeys && <Keys />}
        </AnswerRow>
        <p className="only-read-aloud" role="status">
          {isSending ? "Your answer is being sent." : ""}
        </p>
      </div>
      {stopping.isAsking && <DropChangesDialog keep={stopping.keep} drop={stopping.drop} />}
      {open?.kind === "deny" && (
        <DenyDialog
          approval={approval}
          verdict={verdict}
          onClose={() => setOpen(null)}
          onDeny={(reason) => send({ kind: "deny", digest: approval.runDigest, ...(reason === "" ? {} : { reason }) })}
        />
      )}
      {open?.kind === "remember" && (
        <RememberDialog
          approval={approval}
          server={server}
          alsoWaiting={alsoWaiting}
          first={open.first}
          verdict={verdict}
          onClose={() => setOpen(null)}
          onSend={(remembered) => send({ digest: approval.runDigest, ...remembered })}
        />
      )}
    </section>
  )
}

/** One answer at a time: from the press until the page says that it is on its way, a second press means nothing. */
function useSendOnce({ approval, verdict, hands }: VerdictBarProps): (verdict: Verdict) => void {
  const isPressed = useRef(false)
  useEffect(() => {
    if (verdict.state !== "sending") isPressed.current = false
  }, [verdict.state])
  return (given) => {
    if (isPressed.current || verdict.state === "sending") return
    isPressed.current = true
    hands.onVerdict(approval, given)
  }
}

/** Whoever shows the card is told while leaving it would lose something. */
function useTellEdited(isEdited: boolean, tell: CardHands["onEdited"]): void {
  const latest = useRef(tell)
  useEffect(() => {
    latest.current = tell
  })
  useEffect(() => {
    if (!isEdited) return
    latest.current?.(true)
    return () => latest.current?.(false)
  }, [isEdited])
}

function useCloseWhenDone(verdict: VerdictState, close: () => void): void {
  const before = useRef(verdict.state)
  useEffect(() => {
    if (before.current === "sending" && verdict.state === "none") close()
    before.current = verdict.state
  }, [verdict.state, close])
}

function TooLate({ verdict }: Pick<VerdictBarProps, "verdict">): ReactNode {
  if (verdict.state !== "refused") return null
  return (
    <div className={look.late}>
      <RefusedNotice verdict={verdict} />
    </div>
  )
}

function Keys(): ReactNode {
  const held = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl"
  return (
    <p className={look.keys}>
      <kbd>{held}</kbd> <kbd>Enter</kbd> allows it once, <kbd>{held}</kbd> <kbd>Backspace</kbd> asks whether to deny it.
    </p>
  )
}

/** What to know before pressing anything. */
function BeforeAnswering({
  approval,
  whyOnlyOnce,
  blocked,
  onShowAll,
}: Pick<VerdictBarProps, "approval" | "blocked" | "onShowAll"> & { readonly whyOnlyOnce: string | null }): ReactNode {
  const votes = votesSoFar(approval)
  return (
    <>
      {votes !== null && <p className={look.votes}>{votes.words}</p>}
      {whyOnlyOnce !== null && <p className={look.words}>{whyOnlyOnce}</p>}
      {blocked !== null && (
        <p className={look.blocked} role="status">
          {blocked}
        </p>
      )}
      {onShowAll !== null && (
        <p className={look.folded}>
          Part of the arguments is folded.
          <Button size="small" onClick={onShowAll}>
            Show all of it
          </Button>
        </p>
      )}
    </>
  )
}
