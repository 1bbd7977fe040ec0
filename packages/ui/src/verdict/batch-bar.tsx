import type { ApprovalView } from "@byleave/api"
import { type ReactNode, useState } from "react"
import { calledText } from "../card/ask-words.ts"
import { Button } from "../parts/button.tsx"
import { Mark } from "../parts/mark.tsx"
import { ShownName } from "../parts/shown-text.tsx"
import { batchOf } from "./batch.ts"
import look from "./batch-bar.module.css"
import { BatchDialog, callsWords } from "./batch-dialog.tsx"
import type { Verdict } from "./verdict.ts"

/** What became of one call of several. */
export type BatchAnswer = {
  readonly approval: ApprovalView
  readonly ok: boolean
  /** "Allowed", "Denied", or why not. */
  readonly words: string
  /** No answer came: it may have counted all the same. */
  readonly isUnknown?: true
}

export type BatchBarProps = {
  readonly chosen: readonly ApprovalView[]
  /** What became of the last batch; null: none was sent, or its answers were put away. */
  readonly answers: readonly BatchAnswer[] | null
  readonly isSending: boolean
  /** Whether somebody has looked at the secrets of this call here. */
  readonly isRevealed?: (approval: ApprovalView) => boolean
  readonly onSend: (verdicts: ReadonlyArray<{ readonly approval: ApprovalView; readonly verdict: Verdict }>) => void
  readonly onClear: () => void
}

const none = () => false

/** Answers several calls at once: each by its own id and digest, with an answer to each. */
export function BatchBar(props: BatchBarProps): ReactNode {
  const { chosen, answers, isSending, isRevealed = none, onClear } = props
  const [open, setOpen] = useState<"approve" | "deny" | null>(null)
  const batch = batchOf(chosen, isRevealed)
  if (answers !== null) return <BatchAnswers answers={answers} onClear={onClear} />
  if (chosen.length === 0) return null
  return (
    <section className={look.bar} aria-label="Answer the chosen calls">
      <div className={look.head}>
        <p className={look.count} role="status">
          {callsWords(chosen.length)} chosen
        </p>
        <Button size="small" tone="quiet" disabled={isSending} onClick={onClear}>
          Choose none
        </Button>
      </div>
      <div className={look.actions}>
        <Button
          tone="no"
          busy={isSending && "Sending…"}
          disabled={batch.denied.length === 0}
          onClick={() => setOpen("deny")}
        >
          Deny {batch.denied.length}…
        </Button>
        <Button
          tone="yes"
          busy={isSending && "Sending…"}
          disabled={batch.allowed.length === 0}
          onClick={() => setOpen("approve")}
        >
          Allow {batch.allowed.length} once…
        </Button>
      </div>
      {batch.leftOut.length > 0 && (
        <p className={look.words}>
          {callsWords(batch.leftOut.length)} cannot be allowed together with others.{" "}
          {batch.allowed.length > 0
            ? "Press Allow to see why."
            : [...new Set(batch.leftOut.map(({ why }) => why))].join(" ")}
        </p>
      )}
      {open !== null && !isSending && (
        <BatchDialog
          kind={open}
          calls={open === "approve" ? batch.allowed : batch.denied}
          leftOut={open === "approve" ? batch.leftOut : []}
          onClose={() => setOpen(null)}
          onSend={(reason) => {
            setOpen(null)
            props.onSend(verdictsOf(open, open === "approve" ? batch.allowed : batch.denied, reason))
          }}
        />
      )}
    </section>
  )
}

function verdictsOf(kind: Verdict["kind"], calls: readonly ApprovalView[], reason: string) {
  const given = kind === "deny" && reason !== "" ? { reason } : {}
  return calls.map((approval) => ({ approval, verdict: { kind, digest: approval.runDigest, ...given } }))
}

function BatchAnswers({
  answers,
  onClear,
}: Pick<BatchBarProps, "onClear"> & { readonly answers: readonly BatchAnswer[] }): ReactNode {
  const done = answers.filter(({ ok }) => ok).length
  return (
    <section className={look.bar} aria-label="What became of your answers">
      <p className={look.count} role="status">
        {done === answers.length
          ? `All ${callsWords(done)} answered`
          : `${done} of ${callsWords(answers.length)} answered`}
      </p>
      <ul className={look.calls}>
        {answers.map(({ approval, ok, words, isUnknown }) => (
          <li key={approval.id}>
            <code>
              <ShownName text={calledText(approval)} />
            </code>
            <Mark tone={ok ? "plain" : isUnknown ? "wait" : "no"}>
              {ok ? words : isUnknown ? "Not known yet" : "Did not count"}
            </Mark>
            {!ok && <span className={look.words}>{words}</span>}
          </li>
        ))}
      </ul>
      <div className={look.actions}>
        <Button onClick={onClear}>Done</Button>
      </div>
    </section>
  )
}
