import type { ApprovalView } from "@byleave/api"
import { type ReactNode, useState } from "react"
import { calledText } from "../card/ask-words.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { LongField } from "../parts/field.tsx"
import { ShownName } from "../parts/shown-text.tsx"
import look from "./batch-bar.module.css"
import { argumentLine } from "./call-line.ts"
import { ignoreHeldDown, longestReason } from "./deny-dialog.tsx"
import { useSettled } from "./use-settled.ts"
import type { Verdict } from "./verdict.ts"

type BatchDialogProps = {
  readonly kind: Verdict["kind"]
  readonly calls: readonly ApprovalView[]
  readonly leftOut: ReadonlyArray<{ readonly approval: ApprovalView; readonly why: string }>
  readonly onClose: () => void
  readonly onSend: (reason: string) => void
}

/** Every call that one answer goes to, and those it does not, before it is sent. */
export function BatchDialog({ kind, calls, leftOut, onClose, onSend }: BatchDialogProps): ReactNode {
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
            <ShownName text={calledText(approval)} />
          </code>
          <span className={look.words}>
            <ShownName text={words} />
          </span>
        </li>
      ))}
    </ul>
  )
}

export function callsWords(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`
}
