import type { ApprovalView } from "@byleave/api"
import { type ReactNode, useState } from "react"
import { calledText } from "../card/ask-words.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { LongField } from "../parts/field.tsx"
import { Mark } from "../parts/mark.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { batchOf } from "./batch.ts"
import look from "./batch-bar.module.css"
import { argumentLine } from "./call-line.ts"
import { ignoreHeldDown, longestReason } from "./deny-dialog.tsx"
import { useSettled } from "./use-settled.ts"
import type { Verdict } from "./verdict.ts"

/** What became of one call of several. */
export type BatchAnswer = {
  readonly approval: ApprovalView
  readonly ok: boolean
  /** "Allowed", "Denied", or why not. */
  readonly words: string
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
          {callsWords(batch.leftOut.length)} cannot be allowed together with others. Press Allow to see why.
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

type BatchDialogProps = {
  readonly kind: Verdict["kind"]
  readonly calls: readonly ApprovalView[]
  readonly leftOut: ReadonlyArray<{ readonly approval: ApprovalView; readonly why: string }>
  readonly onClose: () => void
  readonly onSend: (reason: string) => void
}

function BatchDialog({ kind, calls, leftOut, onClose, onSend }: BatchDialogProps): ReactNode {
  const [reason, setReason] = useState("")
  const isSettled = useSettled(kind, 300)
  const isAllow = kind === "approve"
  const title = isAllow ? `Allow ${callsWords(calls.length)} once` : `Deny ${callsWords(calls.length)}`
  return (
    <Dialog
      open={true}
      onClose={onClose}
      title={title}
      lead={
        isAllow
          ? "Each of these runs once, with the arguments shown. Nothing is remembered."
          : "None of these runs. The agents are told so and go on."
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone={isAllow ? "yes" : "no"}
            disabled={!isSettled}
            onKeyDown={ignoreHeldDown}
            onClick={() => onSend(reason.trim())}
          >
            {title}
          </Button>
        </>
      }
    >
      <CallList calls={calls.map((approval) => ({ approval, words: argumentLine(approval) }))} />
      {leftOut.length > 0 && (
        <section className={look.left}>
          <h3>Left out: {callsWords(leftOut.length)}</h3>
          <CallList calls={leftOut.map(({ approval, why }) => ({ approval, words: why }))} />
        </section>
      )}
      {!isAllow && (
        <LongField
          label="Reason (you can leave it empty)"
          hint="The agents read it."
          maxLength={longestReason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
    </Dialog>
  )
}

function CallList({
  calls,
}: {
  readonly calls: ReadonlyArray<{ readonly approval: ApprovalView; readonly words: string }>
}): ReactNode {
  return (
    <ul className={look.calls}>
      {calls.map(({ approval, words }) => (
        <li key={approval.id}>
          <code>
            <ShownText text={calledText(approval)} />
          </code>
          <span className={look.words}>
            <ShownText text={words} />
          </span>
        </li>
      ))}
    </ul>
  )
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
        {answers.map(({ approval, ok, words }) => (
          <li key={approval.id}>
            <code>
              <ShownText text={calledText(approval)} />
            </code>
            <Mark tone={ok ? "plain" : "no"}>{ok ? words : "Did not count"}</Mark>
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

function callsWords(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`
}
