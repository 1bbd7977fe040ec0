import type { RunView } from "@byleave/api"
import { RotateCw } from "lucide-react"
import type { ReactNode } from "react"
import { Sentence } from "../../card/arguments/shown-value.tsx"
import { Button } from "../../parts/button.tsx"
import { Notice } from "../../parts/page.tsx"
import { TheirName } from "../../parts/their-words.tsx"
import look from "./conversation.module.css"

type ThreadNoticeProps = {
  readonly run: RunView
  /** How often the model was asked again; null: it answers. */
  readonly attempt: number | null
  readonly isRetrying: boolean
  readonly onRetry: () => void
  /** Why trying again did not work. */
  readonly children?: ReactNode
}

const longest = 2_000

/** Says what went wrong in a thread, and how it goes on; nothing while all is well. */
export function ThreadNotice({ run, attempt, isRetrying, onRetry, children }: ThreadNoticeProps): ReactNode {
  const button = (words: string): ReactNode => (
    <Button size="small" icon={<RotateCw />} busy={isRetrying && "Trying…"} onClick={onRetry}>
      {words}
    </Button>
  )
  const words = noticeOf(run, attempt, button)
  if (words === null) return null
  return (
    <div className={look.notice}>
      {words}
      {children}
    </div>
  )
}

function noticeOf(run: RunView, attempt: number | null, button: (words: string) => ReactNode): ReactNode {
  if (run.status === "running" && attempt !== null) {
    return <Notice tone="wait">The model did not answer. Trying again ({attempt}).</Notice>
  }
  if (run.status === "failed" && run.stoppedBy !== null) {
    return (
      <Notice tone="know" actions={button("Continue")}>
        Stopped by <TheirName text={run.stoppedBy} />. Send a message, or let it continue.
      </Notice>
    )
  }
  if (run.status === "failed") {
    return (
      <Notice tone="no" title="The reply failed" actions={run.retryable ? button("Try again") : undefined}>
        <p>
          <Sentence text={run.detail.slice(0, longest)} />
        </p>
        <p>
          {run.retryable
            ? "Nothing is lost: calls that ran do not run again."
            : "Trying again would not help. Change what went wrong, then send a message."}
        </p>
      </Notice>
    )
  }
  if (run.status === "cancelled") {
    return (
      <Notice tone="know" title={run.wasExported ? "This thread was exported" : "This thread was cancelled"}>
        {run.wasExported ? "It goes on where it was imported." : "Start a new thread to go on."}
      </Notice>
    )
  }
  return null
}

/** A reply that failed is tried again as it was. One that somebody stopped is over: the model is asked to go on. */
export function retryMessage(run: RunView): { readonly message?: string } {
  return run.status === "failed" && run.stoppedBy !== null ? { message: "Continue." } : {}
}
