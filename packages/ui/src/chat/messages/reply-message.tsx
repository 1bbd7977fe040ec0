import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { lazy, memo, type ReactNode, Suspense } from "react"
import { calledText } from "../../card/head/ask-words.ts"
import { ShownName } from "../../parts/shown-text.tsx"
import { InSteps } from "../../run/in-steps.tsx"
import ledger from "../../run/run-story.module.css"
import { StoryCallLine } from "../../run/story-call.tsx"
import { StoryText } from "../../run/story-text.tsx"
import type { ReplyMessage } from "./chat-messages.ts"
import look from "./chat-thread.module.css"
import { MessageClock } from "./message-clock.tsx"
import { type ChatRequest, RequestBlock } from "./request-block.tsx"
import { type MessageSegment, segmentsOf } from "./segments.ts"

// The composer can be used before: until Markdown can be read, text is shown as it was written.
const Markdown = lazy(async () => ({ default: (await import("../text/markdown.tsx")).Markdown }))

export type ReplyMessageViewProps = {
  readonly message: ReplyMessage
  readonly isGoingOn: boolean
  readonly thread: string
  readonly model: string
  readonly status: RunView["status"]
  /** The approvals that people were asked for, by the model's id of the call. */
  readonly approvals: ReadonlyMap<string, ApprovalSummaryView>
  /** Of the calls that wait, among those of the thread. */
  readonly places: ReadonlyMap<string, number>
  /** A tool as people know it, by the name the model calls it by. */
  readonly toolNames: ReadonlyMap<string, string>
  /** Draws the card of a call that waits. */
  readonly renderRequest: (request: ChatRequest) => ReactNode
  /** Draws how the calls of one message that wait are decided together. Absent: each is decided for itself. */
  readonly renderTogether?: (calls: readonly ApprovalSummaryView[]) => ReactNode
  /** Goes to another page; absent: there is none to go to. */
  readonly onFollow?: (href: string) => void
  /** Marks calls that ran without anybody being asked. */
  readonly marksUnasked?: boolean
}

/** Everything the model said and did between two messages of the user. */
export const ReplyMessageView = memo(function ReplyMessageView(props: ReplyMessageViewProps): ReactNode {
  const { message, isGoingOn, renderTogether } = props
  const last = message.parts.at(-1)
  const isSilent = last === undefined || (last.kind === "call" && last.call.outcome !== null)
  const segments = segmentsOf(message.parts, props.approvals)
  const waiting = segments.flatMap((segment) => (segment.kind === "request" ? [segment.approval] : []))
  const firstAsked = segments.findIndex(({ kind }) => kind === "request")
  return (
    <li className={look.reply} data-message={message.key} data-live={isGoingOn}>
      <By model={props.model} at={message.at} />
      {segments.map((segment, at) => (
        <SegmentBlock key={segment.key} segment={segment} {...props}>
          {at === firstAsked && waiting.length > 1 && renderTogether?.(waiting)}
        </SegmentBlock>
      ))}
      {isGoingOn && isSilent && <Working />}
    </li>
  )
})

/** A reply of which nothing was said yet. */
export function BeginningReply({ model }: { readonly model: string }): ReactNode {
  return (
    <li className={look.reply}>
      <By model={model} at={null} />
      <Working />
    </li>
  )
}

type SegmentBlockProps = ReplyMessageViewProps & {
  readonly segment: MessageSegment
  /** Stands before the segment. */
  readonly children: ReactNode
}

function SegmentBlock({ segment, children, ...props }: SegmentBlockProps): ReactNode {
  switch (segment.kind) {
    case "text":
      return (
        <blockquote className={look.words}>
          <Suspense fallback={<StoryText text={segment.text} isLive={segment.isLive} />}>
            <Markdown text={segment.text} isLive={segment.isLive} />
          </Suspense>
          {segment.isCut && <p className="aside">The rest is too long to be shown here.</p>}
        </blockquote>
      )
    case "reasoning":
      return (
        <details className={look.reasoning}>
          <summary>{segment.isLive ? "Thinking…" : "Reasoning"}</summary>
          <blockquote>
            <StoryText text={segment.text} isCut={segment.isCut} isLive={segment.isLive} />
          </blockquote>
        </details>
      )
    case "calls":
      return <Calls segment={segment} {...props} />
    case "request": {
      const { approval, key: block } = segment
      const nth = props.places.get(approval.id) ?? 0
      return (
        <>
          {children}
          <RequestBlock
            request={{ approval, block, message: props.message.key, thread: props.thread, nth }}
            renderRequest={props.renderRequest}
          />
        </>
      )
    }
  }
}

type CallsProps = Pick<ReplyMessageViewProps, "approvals" | "toolNames" | "status" | "onFollow" | "marksUnasked"> & {
  readonly segment: Extract<MessageSegment, { readonly kind: "calls" }>
}

function Calls({ segment, approvals, toolNames, status, onFollow, marksUnasked = false }: CallsProps): ReactNode {
  return (
    <ul className={ledger.calls} aria-label="Calls">
      <InSteps items={segment.calls} one="call">
        {({ key, call }) => {
          const approval = approvals.get(call.toolCall) ?? null
          return (
            <StoryCallLine
              key={key}
              call={call}
              approval={approval}
              name={approval === null ? (toolNames.get(call.name) ?? call.name) : calledText(approval)}
              // Between the model's call and the question about it nothing is decided yet.
              status={status === "paused" ? "running" : status}
              onFollow={onFollow}
              marksUnasked={marksUnasked}
            />
          )
        }}
      </InSteps>
    </ul>
  )
}

function By({ model, at }: { readonly model: string; readonly at: number | null }): ReactNode {
  return (
    <p className={look.by}>
      <ShownName text={model} />
      {at !== null && <MessageClock at={at} />}
    </p>
  )
}

function Working(): ReactNode {
  return (
    <p className={look.working}>
      <span aria-hidden="true" />
      <span aria-hidden="true" />
      <span aria-hidden="true" />
      <span className="only-read-aloud">Working…</span>
    </p>
  )
}
