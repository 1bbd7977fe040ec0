import type { ApprovalView } from "@byleave/api"
import { type ReactNode, useState } from "react"
import { calledText } from "../card/ask-words.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { LongField } from "../parts/field.tsx"
import { ShownName } from "../parts/shown-text.tsx"
import look from "./batch-bar.module.css"
import { ignoreHeldDown, longestReason } from "./deny-dialog.tsx"
import { RiskLines } from "./risk-lines.tsx"
import { useSettled } from "./use-settled.ts"
import { AllArguments } from "./value-list.tsx"
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
          ? "Each of these may run once, with exactly these arguments. Nothing is remembered."
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
      <ul className={look.calls}>
        {calls.map((approval) => (
          <CallItem key={approval.id} approval={approval}>
            {isAllow && !approval.callerWaits && (
              <p className={look.words}>Nobody waits for it now: it runs when it is asked for again.</p>
            )}
            <AllArguments approval={approval} />
            <RiskLines risks={approval.risks} />
          </CallItem>
        ))}
      </ul>
      {leftOut.length > 0 && (
        <section className={look.left}>
          <h3>Left out: {callsWords(leftOut.length)}</h3>
          <ul className={look.calls}>
            {leftOut.map(({ approval, why }) => (
              <CallItem key={approval.id} approval={approval}>
                <p className={look.words}>{why}</p>
              </CallItem>
            ))}
          </ul>
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

function CallItem({
  approval,
  children,
}: {
  readonly approval: ApprovalView
  readonly children: ReactNode
}): ReactNode {
  return (
    <li>
      <code>
        <ShownName text={calledText(approval)} />
      </code>
      {children}
    </li>
  )
}

export function callsWords(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`
}
