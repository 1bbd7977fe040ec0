import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { calledText } from "../../card/head/ask-words.ts"
import { Button } from "../../parts/button.tsx"
import { Mark } from "../../parts/mark.tsx"
import { ShownName, ShownText } from "../../parts/shown-text.tsx"
import { rowText } from "../../words/row-text.ts"
import { UndoAnswer, type UndoAnswerProps } from "../answers/undo-answer.tsx"
import type { LoadCalls, LoadCurrent } from "../verdict.ts"
import { batchOf } from "./batch.ts"
import look from "./batch-bar.module.css"
import type { BatchVerdict } from "./batch-dialog.tsx"
import { batchOutcome, outcomesInWords, tellingArgument } from "./batch-outcome.ts"
import { callsWords } from "./calls-words.ts"

// With everything that shows differences: a list needs it only once somebody asks for it.
const BatchDialog = lazy(async () => ({ default: (await import("./batch-dialog.tsx")).BatchDialog }))

/** The outcome of one call of several. */
export type BatchChoice = {
  /** The call as it was listed when it was answered. */
  readonly listed: ApprovalSummaryView
  /** The call as it stands now. */
  readonly approval: ApprovalView | ApprovalSummaryView
  readonly ok: boolean
  /** Why the answer did not count; null where it did. */
  readonly problem: string | null
  /** No answer came: it may have counted all the same. */
  readonly isUnknown?: true
}

export type BatchBarProps = {
  readonly chosen: readonly ApprovalSummaryView[]
  /** The outcome of the last batch; null: none was sent, or its answers were put away. */
  readonly answers: readonly BatchChoice[] | null
  /** An answer to several calls that can still be taken back. */
  readonly unsent: (UndoAnswerProps["verdict"] & { readonly calls: number; readonly denied: number }) | null
  readonly onTakeBack: () => void
  readonly isSending: boolean
  readonly loadCalls: LoadCalls
  /** Absent: changes of files are shown as they were sent. */
  readonly loadCurrent?: LoadCurrent
  /** Whether somebody has looked at the secrets of this call here. */
  readonly isRevealed?: (approval: ApprovalSummaryView) => boolean
  readonly onSend: (verdicts: readonly BatchVerdict[]) => void
  readonly onClear: () => void
  /** Stands below the results in place of the button that puts them away: where to go from here. */
  readonly after?: ReactNode
  /** Says which calls these are, where nobody selected them. */
  readonly title?: string
}

const none = () => false

/** Answers several calls at once: each by its own id and as it is shown, with an answer to each. */
export function BatchBar(props: BatchBarProps): ReactNode {
  const { chosen, answers, isSending, isRevealed = none, onClear } = props
  const [open, setOpen] = useState<"approve" | "deny" | null>(null)
  const batch = batchOf(chosen, isRevealed)
  // Beside cards with answers of their own, it is the lesser offer.
  const size = props.title === undefined ? "usual" : "small"
  if (answers !== null) return <BatchAnswers answers={answers} onClear={onClear} after={props.after} />
  if (props.unsent !== null) {
    return (
      <section className={look.bar} aria-label={props.title ?? "Decide the selected calls"}>
        <UndoAnswer
          verdict={props.unsent}
          calls={props.unsent.calls}
          denied={props.unsent.denied}
          onUndo={props.onTakeBack}
        />
        <p className="only-read-aloud" role="status">
          Your decision is sent in three seconds. Press Undo to cancel.
        </p>
      </section>
    )
  }
  if (chosen.length === 0) return null
  return (
    <section className={look.bar} aria-label={props.title ?? "Decide the selected calls"}>
      <div className={look.head}>
        <p className={look.count} role="status">
          {props.title ?? `${callsWords(chosen.length)} selected`}
        </p>
        {props.title === undefined && (
          <Button size="small" tone="quiet" disabled={isSending} onClick={onClear}>
            Clear selection
          </Button>
        )}
      </div>
      <div className={look.actions}>
        <Button
          tone="no"
          size={size}
          busy={isSending && "Sending…"}
          disabled={batch.denied.length === 0}
          onClick={() => setOpen("deny")}
        >
          Deny {batch.denied.length}…
        </Button>
        <Button
          tone={props.title === undefined ? "yes" : "plain"}
          size={size}
          busy={isSending && "Sending…"}
          disabled={batch.allowed.length === 0}
          onClick={() => setOpen("approve")}
        >
          Allow {batch.allowed.length} once…
        </Button>
      </div>
      {batch.leftOut.length > 0 && (
        <p className={look.words}>
          {callsWords(batch.leftOut.length)} cannot be allowed in bulk.{" "}
          {batch.allowed.length > 0
            ? "Select Allow to see why."
            : [...new Set(batch.leftOut.map(({ why }) => why))].join(" ")}
        </p>
      )}
      {open !== null && !isSending && (
        <Suspense fallback={null}>
          <BatchDialog
            kind={open}
            calls={open === "approve" ? batch.allowed : batch.denied}
            leftOut={open === "approve" ? batch.leftOut : []}
            loadCalls={props.loadCalls}
            {...(props.loadCurrent === undefined ? {} : { loadCurrent: props.loadCurrent })}
            onClose={() => setOpen(null)}
            onSend={(verdicts) => {
              setOpen(null)
              props.onSend(verdicts)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}

function BatchAnswers({
  answers,
  onClear,
  after,
}: Pick<BatchBarProps, "onClear" | "after"> & { readonly answers: readonly BatchChoice[] }): ReactNode {
  const counted = answers.filter(({ ok }) => ok)
  const done = counted.length
  return (
    <section className={look.bar} aria-label="Results">
      <p className={look.count} role="status">
        {done === answers.length
          ? `All ${callsWords(done)} decided`
          : `${done} of ${callsWords(answers.length)} decided`}
        {done > 0 && `: ${outcomesInWords(counted.map(({ approval }) => batchOutcome(approval)))}`}
      </p>
      <ul className={look.calls}>
        {answers.map((answer) => (
          <AnsweredCall key={answer.approval.id} answer={answer} />
        ))}
      </ul>
      {after ?? (
        <div className={look.actions}>
          <Button onClick={onClear}>Done</Button>
        </div>
      )}
    </section>
  )
}

function AnsweredCall({ answer }: { readonly answer: BatchChoice }): ReactNode {
  const { approval, listed, ok, isUnknown } = answer
  const about = tellingArgument(listed)
  const outcome = ok ? batchOutcome(approval) : null
  return (
    <li>
      <span className={look.called}>
        <code>
          <ShownName text={rowText(calledText(listed))} />
        </code>{" "}
        {about !== null && <ShownName text={about} />}
      </span>
      {outcome !== null ? (
        <Mark tone={outcome.tone}>{outcome.words}</Mark>
      ) : (
        <Mark tone={isUnknown ? "wait" : "no"}>{isUnknown ? "Not confirmed yet" : "Not applied"}</Mark>
      )}
      {outcome !== null && outcome.why !== null && (
        <span className={look.words}>
          <ShownText text={outcome.why} />
        </span>
      )}
      {answer.problem !== null && <span className={look.words}>{answer.problem}</span>}
    </li>
  )
}
