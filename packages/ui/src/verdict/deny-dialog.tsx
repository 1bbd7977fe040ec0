import type { ApprovalView } from "@byleave/api"
import { showText } from "@byleave/core"
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react"
import { calledText } from "../card/ask-words.ts"
import { policyChangeIn } from "../card/policy-change.ts"
import { Button } from "../parts/button.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { LongField } from "../parts/field.tsx"
import { RefusedNotice } from "./refused-notice.tsx"
import type { VerdictState } from "./verdict.ts"

export type DenyDialogProps = {
  readonly approval: ApprovalView
  readonly verdict: VerdictState
  readonly onClose: () => void
  readonly onDeny: (reason: string) => void
}

/** Longer reasons are refused by the service. */
export const longestReason = 2_000

/** Says no, with a reason if there is one. Its button has the focus, so that Enter denies; a key held down does not. */
export function DenyDialog({ approval, verdict, onClose, onDeny }: DenyDialogProps): ReactNode {
  const [reason, setReason] = useState("")
  const confirm = useRef<HTMLButtonElement | null>(null)
  const isSending = verdict.state === "sending"
  const isOwn = policyChangeIn(approval) !== null
  return (
    <Dialog
      open={true}
      onClose={onClose}
      title="Deny this call"
      lead={
        isOwn
          ? "What was accepted last stays in force. The file is not touched; editing it again asks again."
          : `${showText(calledText(approval))} does not run. The agent is told so and goes on.`
      }
      focusFirst={confirm}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            ref={confirm}
            tone="no"
            busy={isSending && "Sending…"}
            onKeyDown={ignoreHeldDown}
            onClick={() => onDeny(reason.trim())}
          >
            Deny this call
          </Button>
        </>
      }
    >
      <LongField
        label="Reason (you can leave it empty)"
        hint={isOwn ? "It is kept on record." : "The agent reads it, so say what it should do instead."}
        maxLength={longestReason}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <RefusedNotice verdict={verdict} />
    </Dialog>
  )
}

/** Enter that is still down from elsewhere presses nothing here. */
export function ignoreHeldDown(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault()
}
