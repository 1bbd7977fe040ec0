import type { ApprovalView } from "@byleave/api"
import { showText } from "@byleave/core"
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react"
import { policyChangeIn } from "../../card/changes/policy-change.ts"
import { callInWords } from "../../card/head/ask-words.ts"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { RefusedNotice } from "../refused-notice.tsx"
import type { VerdictState } from "../verdict.ts"
import look from "./quick-reasons.module.css"
import { keepReason, quickReasons } from "./quick-reasons.ts"
import { ReasonField } from "./reason-field.tsx"

export type DenyDialogProps = {
  readonly approval: ApprovalView
  readonly verdict: VerdictState
  readonly onClose: () => void
  readonly onDeny: (reason: string) => void
}

/** Denies a call, with a reason if there is one. The reason has the focus, so that typing only ever writes. */
export function DenyDialog({ approval, verdict, onClose, onDeny }: DenyDialogProps): ReactNode {
  const [reason, setReason] = useState("")
  const field = useRef<HTMLTextAreaElement | null>(null)
  const isSending = verdict.state === "sending"
  const isOwn = policyChangeIn(approval) !== null
  const deny = (): void => {
    if (isSending) return
    keepReason(localStorage, reason)
    onDeny(reason.trim())
  }
  return (
    <Dialog
      open={true}
      onClose={onClose}
      title="Deny this call"
      lead={
        isOwn
          ? "The last accepted version stays in effect. The file is not changed; editing it again requests approval again."
          : `${callInWords(approval)} does not run. The agent is told.`
      }
      focusFirst={field}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="no" busy={isSending && "Sending…"} onKeyDown={ignoreHeldDown} onClick={deny}>
            Deny this call
          </Button>
        </>
      }
    >
      <ReasonField
        ref={field}
        hint={isOwn ? "Kept in the audit trail." : "The agent sees this, so say what it should do instead."}
        value={reason}
        onChange={setReason}
        onSend={deny}
      />
      <ul className={look.reasons} aria-label="Quick reasons">
        {quickReasons(localStorage).map((quick) => (
          <li key={quick}>
            <Button
              size="small"
              onClick={() => {
                setReason(quick)
                field.current?.focus()
              }}
            >
              {showText(quick)}
            </Button>
          </li>
        ))}
      </ul>
      <RefusedNotice verdict={verdict} />
    </Dialog>
  )
}

/** Enter that is still down from elsewhere presses nothing here. */
export function ignoreHeldDown(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault()
}
