import type { ApprovalView } from "@byleave/api"
import type { ReactNode } from "react"
import { Button } from "../../parts/button.tsx"
import { CopyButton } from "../../parts/copy-button.tsx"
import { Notice } from "../../parts/page.tsx"
import { ShownText } from "../../parts/shown-text.tsx"
import type { CardActions } from "../../verdict/verdict.ts"
import { Sentence } from "../arguments/shown-value.tsx"
import { messageForAgent } from "../head/ask-words.ts"
import look from "./outcome.module.css"

type WaitingForAgentProps = {
  readonly approval: ApprovalView
  readonly actions: CardActions
  /** Why it cannot be run from here yet; null: it can. */
  readonly unseen: string | null
}

/** An approved call whose agent has stopped waiting: what can be done about it. An agent run takes its calls up by itself. */
export function WaitingForAgent({ approval, actions, unseen }: WaitingForAgentProps): ReactNode {
  if (approval.status !== "approved" || approval.callerWaits || approval.run !== undefined) return null
  const message = messageForAgent(approval)
  const offer = approval.runNowOffer
  return (
    <Notice
      tone="wait"
      title="Approved, waiting for the agent to come back"
      actions={
        <>
          {offer?.why === null && (
            <Button
              size="small"
              busy={actions.busyWith === "run-now" && "Running…"}
              disabled={unseen !== null}
              onClick={() => actions.onRunNow(approval)}
            >
              Run it now
            </Button>
          )}
          <CopyButton text={message} what="message" />
          <Button
            size="small"
            tone="no"
            busy={actions.busyWith === "revoke" && "Revoking…"}
            onClick={() => actions.onRevoke(approval)}
          >
            Revoke
          </Button>
        </>
      }
    >
      <p>
        The agent stopped waiting before you allowed the call. If it does not repeat the call on its own, send it this
        message:
      </p>
      <p className={look.message}>
        <ShownText text={message} />
      </p>
      {offer?.why === null && (
        <p>If the agent cannot come back, run it now: it runs once, and its result is kept for the agent.</p>
      )}
      {offer?.why === null && unseen !== null && <p role="status">{unseen}</p>}
      {typeof offer?.why === "string" && (
        <p>
          It cannot be run from here. <Sentence text={offer.why} />
        </p>
      )}
    </Notice>
  )
}
