import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { type ReactNode, useMemo } from "react"
import { useSteps } from "../../card/arguments/folds.ts"
import { MoreSteps } from "../../card/arguments/shown-value.tsx"
import type { ChatMessage, UserMessage } from "./chat-messages.ts"
import look from "./chat-thread.module.css"
import type { LoadPicture } from "./message-picture.tsx"
import { BeginningReply, ReplyMessageView, type ReplyMessageViewProps } from "./reply-message.tsx"
import { UserMessageView } from "./user-message.tsx"
import { waitingCalls } from "./waiting-calls.ts"

export type ChatThreadProps = Pick<
  ReplyMessageViewProps,
  "approvals" | "toolNames" | "renderRequest" | "renderTogether" | "onFollow" | "marksUnasked"
> & {
  readonly run: Pick<RunView, "id" | "status" | "model">
  readonly messages: readonly ChatMessage[]
  /** Absent: pictures of messages are named, and not shown. */
  readonly loadPicture?: LoadPicture
  /** Puts the last message back into the composer; absent where there is none. */
  readonly onReuse?: ((message: UserMessage) => void) | undefined
}

const newest = 60

/** The messages of a thread, with the calls in it where the model made them. Draws data; decides nothing. */
export function ChatThread({ run, messages, approvals, onReuse, loadPicture, ...props }: ChatThreadProps): ReactNode {
  const steps = useSteps(messages.length, newest, newest)
  const shown = messages.slice(-steps.shown)
  const last = messages.at(-1)
  const isReplying = run.status === "running"
  const lastUser = messages.findLast((message) => message.kind === "user")
  const places = usePlaces(messages, approvals)
  return (
    <ol className={look.thread} aria-label="Messages">
      {steps.rest > 0 && (
        <li className={look.earlier}>
          <MoreSteps steps={steps} one="earlier message" />
        </li>
      )}
      {shown.map((message) =>
        message.kind === "user" ? (
          <UserMessageView
            key={message.key}
            message={message}
            loadPicture={loadPicture}
            onReuse={message === lastUser && !isReplying ? onReuse : undefined}
          />
        ) : (
          <ReplyMessageView
            key={message.key}
            message={message}
            isGoingOn={isReplying && message === last}
            thread={run.id}
            model={run.model}
            status={run.status}
            approvals={approvals}
            places={places}
            {...props}
          />
        ),
      )}
      {isReplying && last?.kind !== "reply" && <BeginningReply model={run.model} />}
    </ol>
  )
}

/** The place of each call that waits among those of the thread. The same until another one waits or does no more. */
function usePlaces(
  messages: readonly ChatMessage[],
  approvals: ReadonlyMap<string, ApprovalSummaryView>,
): ReadonlyMap<string, number> {
  const ids = waitingCalls(messages, approvals).map(({ id }) => id)
  const key = JSON.stringify(ids)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all of the ids
  return useMemo(() => new Map(ids.map((id, nth) => [id, nth])), [key])
}
