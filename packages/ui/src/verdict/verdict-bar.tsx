/**
 * Everything a person can say to a call that waits.
 *
 * I1. A yes of any kind, by button, key, menu or dialog, is sent only while Allow once could be: not before the card has settled, and not
 *     while something holds it back, such as a masked value.
 */
import type { ApprovalSummaryView, ApprovalView, ServerView } from "@byleave/api"
import { shownArguments, shownText } from "@byleave/api/page"
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react"
import { useNameInCard } from "../card/card-name.ts"
import { Button } from "../parts/button.tsx"
import type { Answering } from "./answers/answer-menus.ts"
import { AnswerRow } from "./answers/answer-row.tsx"
import { answersOffered, votesSoFar } from "./answers/answers-offered.ts"
import { AutoApprove } from "./answers/auto-approve.tsx"
import { UndoAnswer } from "./answers/undo-answer.tsx"
import { DenyDialog } from "./deny/deny-dialog.tsx"
import { ArgumentEditor } from "./edit/argument-editor.tsx"
import { DropChangesDialog } from "./edit/drop-changes-dialog.tsx"
import { whyNotShown } from "./edit/edit-previewer.ts"
import type { ArgumentEdit } from "./edit/use-argument-edit.ts"
import type { EditPreviewing } from "./edit/use-edit-preview.ts"
import { useStopEditing } from "./edit/use-stop-editing.ts"
import { settleMs, useVerdictKeys } from "./keys/use-verdict-keys.ts"
import { RefusedNotice } from "./refused-notice.tsx"
import { type FirstChoice, RememberDialog } from "./remember/remember-dialog.tsx"
import { useSettled } from "./use-settled.ts"
import type { CardActions, GivenVerdict, LoadCalls, VerdictState } from "./verdict.ts"
import look from "./verdict-bar.module.css"

export type VerdictBarProps = {
  readonly approval: ApprovalView
  /** Null: it is not known, and nothing is offered that needs its tools. */
  readonly server: ServerView | null
  /** The other calls that wait, of any session. */
  readonly alsoWaiting: readonly ApprovalSummaryView[]
  /** Absent: nothing else is answered along. */
  readonly loadCalls?: LoadCalls
  readonly verdict: VerdictState
  readonly actions: Pick<CardActions, "onVerdict" | "onTakeBack" | "onEdited">
  /** The card has only just appeared. */
  readonly isFresh: boolean
  /** Why it cannot be allowed yet, such as a secret nobody has looked at; null: it can. */
  readonly blocked: string | null
  /** Unfolds what of the arguments is folded away on the card; null: nothing is. */
  readonly folded: { readonly words: string; readonly onOpen: () => void } | null
  /** The preview of edited arguments, shown by the card; null: nobody can tell, and nothing is edited. */
  readonly editing: EditPreviewing | null
  /** The edit of the call's arguments, which the card shows in part. */
  readonly edit: ArgumentEdit
  /** False where another card on the page has the keys. */
  readonly hasKeys?: boolean
  /** Also offers to allow the whole server for this thread; for a place that ends that when the thread is left. */
  readonly offersAutoApprove?: boolean
}

/** Everything a person can say to a call that waits. One that waits no more has no answers left; whoever came too late is told. */
export function VerdictBar(props: VerdictBarProps): ReactNode {
  const { approval } = props
  const shown = useMemo(() => shownText(approval), [approval])
  if (approval.status !== "pending") return <TooLate verdict={props.verdict} />
  // An answer begun for other arguments is not carried over to these, whatever digest they come with.
  return <Answers key={shown} {...props} />
}

type Open = { readonly kind: "deny" } | { readonly kind: "remember"; readonly first: FirstChoice }

function Answers(props: VerdictBarProps): ReactNode {
  const { approval, server, alsoWaiting, verdict, edit, hasKeys = true } = props
  const place = useRef<HTMLElement | null>(null)
  const label = useNameInCard("Your decision")
  const [open, setOpen] = useState<Open | null>(null)
  const blocked = useShownEdit(edit, props.editing) ?? props.blocked
  const isSettled = useSettled(approval.id, settleMs) && !props.isFresh
  const isBlocked = blocked !== null || shownArguments(approval) === null
  const send = useSendOnce(props, isSettled && !isBlocked)
  const isSending = verdict.state === "sending" || verdict.state === "unsent"
  const stopping = useStopEditing(edit, isSending, place)
  const offered = answersOffered(approval)
  useCloseWhenDone(verdict, () => setOpen(null))
  useFocusBack(verdict, place)
  useTellEdited(edit.isTyped && !isSending, props.actions.onEdited)

  const allowOnce = (): void => {
    if (edit.isOpen && edit.toSend === null) return
    send({ kind: "approve", ...(edit.toSend === null ? {} : { args: edit.toSend }) })
  }
  const allowFor: Answering["onAllowFor"] = (remember) => send({ kind: "approve", remember })
  useVerdictKeys({
    place,
    isOn: hasKeys,
    state: { isFresh: !isSettled, isBlocked, isSending },
    onMeant: (meaning) => (meaning === "allow-once" ? allowOnce() : setOpen({ kind: "deny" })),
  })

  return (
    <section ref={place} className={look.bar} aria-label={label}>
      {edit.place === "form" && (
        <div className={look.editing}>
          <ArgumentEditor edit={edit} isOff={isSending} />
        </div>
      )}
      <div className={look.foot}>
        <BeforeAnswering
          approval={approval}
          whyOnlyOnce={offered.whyOnlyOnce}
          blocked={blocked}
          folded={props.folded}
          onCheckAgain={props.editing?.draft?.state === "failed" ? props.editing.onCheckAgain : null}
        />
        {verdict.state === "refused" && open === null && <RefusedNotice verdict={verdict} />}
        {verdict.state === "unsent" ? (
          <UndoAnswer verdict={verdict} onUndo={() => props.actions.onTakeBack(approval)} />
        ) : (
          <AnswerRow
            approval={approval}
            server={server}
            offered={offered}
            edit={edit}
            isBlocked={isBlocked}
            isSettled={isSettled}
            sending={verdict.state === "sending" ? verdict.kind : null}
            onAllowOnce={allowOnce}
            onDeny={() => send({ kind: "deny" })}
            onDenyWithReason={() => setOpen({ kind: "deny" })}
            onRemember={(first) => setOpen({ kind: "remember", first })}
            onAllowFor={allowFor}
          >
            {hasKeys && <Keys />}
          </AnswerRow>
        )}
        {props.offersAutoApprove === true &&
          offered.whyOnlyOnce === null &&
          !edit.isOpen &&
          verdict.state !== "unsent" && (
            <AutoApprove
              approval={approval}
              isOff={isBlocked || !isSettled || isSending}
              isSending={verdict.state === "sending" && verdict.kind === "approve"}
              onAllowFor={allowFor}
            />
          )}
        <p className="only-read-aloud" role="status">
          {statusWords[verdict.state]}
        </p>
      </div>
      {stopping.isAsking && <DropChangesDialog keep={stopping.keep} drop={stopping.drop} />}
      {open?.kind === "deny" && (
        <DenyDialog
          approval={approval}
          verdict={verdict}
          onClose={() => setOpen(null)}
          onDeny={(reason) => send({ kind: "deny", ...(reason === "" ? {} : { reason }) })}
        />
      )}
      {open?.kind === "remember" && (
        <RememberDialog
          approval={approval}
          server={server}
          alsoWaiting={alsoWaiting}
          {...(props.loadCalls === undefined ? {} : { loadCalls: props.loadCalls })}
          first={open.first}
          verdict={verdict}
          onClose={() => setOpen(null)}
          onSend={send}
        />
      )}
    </section>
  )
}

/** Tells the card what is edited, and why that cannot be allowed before the card shows what it would do. */
function useShownEdit({ toSend, place }: ArgumentEdit, editing: EditPreviewing | null): string | null {
  const onEdit = editing?.onEdit
  useEffect(() => onEdit?.(toSend), [toSend, onEdit])
  if (place === "in-place" && toSend !== null) return "Press Done to see what your edit changes, then allow it."
  return editing === null ? null : whyNotShown(toSend, editing.draft)
}

const statusWords = {
  none: "",
  unsent: "Your decision is sent in three seconds. Press Undo to cancel.",
  sending: "Sending your decision.",
  refused: "",
} as const satisfies Record<VerdictState["state"], string>

/** One answer at a time: from the press until the page says that it is on its way, a second press means nothing. */
function useSendOnce(
  { approval, verdict, actions }: VerdictBarProps,
  canAllow: boolean,
): (verdict: GivenVerdict) => void {
  const isPressed = useRef(false)
  useEffect(() => {
    if (verdict.state === "none" || verdict.state === "refused") isPressed.current = false
  }, [verdict.state])
  return (given) => {
    if (given.kind === "approve" && !canAllow) return
    if (isPressed.current || verdict.state === "sending" || verdict.state === "unsent") return
    isPressed.current = true
    actions.onVerdict(approval, given)
  }
}

/** Whoever shows the card is told while leaving it would lose something. */
function useTellEdited(isEdited: boolean, tell: CardActions["onEdited"]): void {
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
    if (verdict.state === "unsent" || (before.current === "sending" && verdict.state === "none")) close()
    before.current = verdict.state
  }, [verdict.state, close])
}

/** The Undo button goes once the answer was taken back, and the focus with it: back to the answers. */
function useFocusBack(verdict: VerdictState, place: RefObject<HTMLElement | null>): void {
  const before = useRef(verdict.state)
  useEffect(() => {
    const isTakenBack = before.current === "unsent" && verdict.state === "none"
    before.current = verdict.state
    if (!isTakenBack || document.activeElement !== document.body) return
    const buttons = [...(place.current?.querySelectorAll<HTMLElement>("[data-answer]") ?? [])]
    buttons.find((button) => button.checkVisibility())?.focus()
  }, [verdict.state, place])
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
      <kbd>{held}</kbd> <kbd>Enter</kbd> allows once, <kbd>{held}</kbd> <kbd>Backspace</kbd> opens the deny dialog.
    </p>
  )
}

/** Notices to read before answering. */
function BeforeAnswering({
  approval,
  whyOnlyOnce,
  blocked,
  folded,
  onCheckAgain,
}: Pick<VerdictBarProps, "approval" | "blocked" | "folded"> & {
  readonly whyOnlyOnce: string | null
  readonly onCheckAgain: (() => void) | null
}): ReactNode {
  const votes = votesSoFar(approval)
  return (
    <>
      {votes !== null && <p className={look.votes}>{votes.words}</p>}
      {whyOnlyOnce !== null && <p className={look.words}>{whyOnlyOnce}</p>}
      {blocked !== null && (
        <p className={look.blocked} role="status">
          {blocked}
          {onCheckAgain !== null && (
            <Button size="small" onClick={onCheckAgain}>
              Check again
            </Button>
          )}
        </p>
      )}
      {folded !== null && (
        <p className={look.folded}>
          Some arguments are collapsed.
          <Button size="small" onClick={folded.onOpen}>
            {folded.words}
          </Button>
        </p>
      )}
    </>
  )
}
