import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { FileText, PencilLine } from "lucide-react"
import { lazy, memo, type ReactNode, Suspense } from "react"
import { countOf } from "../card/arguments/cut-text.ts"
import { useSteps } from "../card/arguments/folds.ts"
import { MoreSteps } from "../card/arguments/shown-value.tsx"
import { calledText } from "../card/head/ask-words.ts"
import { Button } from "../parts/button.tsx"
import { ShownName } from "../parts/shown-text.tsx"
import { InSteps } from "../run/in-steps.tsx"
import ledger from "../run/run-story.module.css"
import { StoryCallLine } from "../run/story-call.tsx"
import { StoryText } from "../run/story-text.tsx"
import type { TurnCall } from "../run/story-turns.ts"
import { exactTime } from "../words/time-words.ts"
import type {
  CallPart,
  ChatMessage,
  ChatPart,
  ReasoningPart,
  ReplyMessage,
  TextPart,
  UserMessage,
} from "./chat-messages.ts"
import look from "./chat-thread.module.css"

// The composer can be used before: until Markdown can be read, text is shown as it was written.
const Markdown = lazy(async () => ({ default: (await import("./markdown.tsx")).Markdown }))

/** A call that a person is asked about, and where in the thread it stands. */
export type ChatRequest = {
  readonly approval: ApprovalSummaryView
  readonly block: string
  readonly message: string
  readonly thread: string
}

export type ChatThreadProps = {
  readonly run: Pick<RunView, "id" | "status" | "model">
  readonly messages: readonly ChatMessage[]
  /** What people were asked, by the model's id of the call. */
  readonly approvals: ReadonlyMap<string, ApprovalSummaryView>
  /** A tool as people know it, by the name the model calls it by. */
  readonly toolNames: ReadonlyMap<string, string>
  /** Draws the card of a call that waits. */
  readonly renderRequest: (request: ChatRequest) => ReactNode
  /** Goes to another page; absent: there is none to go to. */
  readonly onFollow?: (href: string) => void
  /** Marks calls that ran without anybody being asked. */
  readonly marksUnasked?: boolean
  /** Puts the last message back into the composer; absent where there is none. */
  readonly onReuse?: (message: UserMessage) => void
}

const newest = 60

/** What was said in a thread, with the calls in it where the model made them. Draws data; decides nothing. */
export function ChatThread({ messages, ...props }: ChatThreadProps): ReactNode {
  const steps = useSteps(messages.length, newest, newest)
  const shown = messages.slice(-steps.shown)
  const last = messages.at(-1)
  const isReplying = props.run.status === "running"
  const lastUser = messages.findLast((message) => message.kind === "user")
  return (
    <ol className={look.thread} aria-label="Messages">
      {steps.rest > 0 && (
        <li className={look.earlier}>
          <MoreSteps steps={steps} one="earlier message" />
        </li>
      )}
      {shown.map((message) =>
        message.kind === "user" ? (
          <User
            key={message.key}
            message={message}
            onReuse={message === lastUser && !isReplying ? props.onReuse : undefined}
          />
        ) : (
          <Reply key={message.key} message={message} isGoingOn={isReplying && message === last} {...props} />
        ),
      )}
      {isReplying && last?.kind !== "reply" && (
        <li className={look.reply}>
          <By model={props.run.model} at={null} />
          <Working />
        </li>
      )}
    </ol>
  )
}

type UserProps = {
  readonly message: UserMessage
  readonly onReuse: ((message: UserMessage) => void) | undefined
}

const User = memo(function User({ message, onReuse }: UserProps): ReactNode {
  return (
    <li className={look.user}>
      <figure className={look.note}>
        <figcaption className="only-read-aloud">You</figcaption>
        <blockquote>
          <StoryText text={message.text} isCut={message.isCut && message.files.length === 0} />
        </blockquote>
        {message.files.map((file, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
          <details key={at} className={look.file}>
            <summary>
              <FileText aria-hidden="true" />
              <ShownName text={file.name} />
              <span className="aside">{countOf(file.text.length, "character")}</span>
            </summary>
            <div className={look.fileText}>
              <StoryText text={file.text} isCut={message.isCut && at === message.files.length - 1} />
            </div>
          </details>
        ))}
      </figure>
      <p className={look.under}>
        {onReuse !== undefined && (
          <Button size="small" tone="quiet" icon={<PencilLine />} onClick={() => onReuse(message)}>
            Edit and send again
          </Button>
        )}
        <Clock at={message.at} />
      </p>
    </li>
  )
})

type ReplyProps = Omit<ChatThreadProps, "messages" | "onReuse"> & {
  readonly message: ReplyMessage
  readonly isGoingOn: boolean
}

function Reply({ message, isGoingOn, ...props }: ReplyProps): ReactNode {
  const last = message.parts.at(-1)
  const isSilent = last === undefined || (last.kind === "call" && last.call.outcome !== null)
  return (
    <li className={look.reply} data-message={message.key} data-live={isGoingOn}>
      <By model={props.run.model} at={message.at} />
      {segmentsOf(message.parts, props.approvals).map((segment) => (
        <Segment key={segment.key} segment={segment} message={message.key} {...props} />
      ))}
      {isGoingOn && isSilent && <Working />}
    </li>
  )
}

type SegmentOf =
  | TextPart
  | ReasoningPart
  | { readonly kind: "calls"; readonly key: string; readonly calls: readonly CallPart[] }
  | { readonly kind: "request"; readonly key: string; readonly call: TurnCall; readonly approval: ApprovalSummaryView }

/** Calls that nobody is asked about stand together as lines; one that waits stands by itself, as its card. */
export function segmentsOf(parts: readonly ChatPart[], approvals: ChatThreadProps["approvals"]): readonly SegmentOf[] {
  const segments: SegmentOf[] = []
  for (const part of parts) {
    if (part.kind !== "call") {
      segments.push(part)
      continue
    }
    const approval = approvals.get(part.call.toolCall)
    const last = segments.at(-1)
    if (approval?.status === "pending") {
      segments.push({ kind: "request", key: part.key, call: part.call, approval })
    } else if (last?.kind === "calls") {
      segments[segments.length - 1] = { ...last, calls: [...last.calls, part] }
    } else {
      segments.push({ kind: "calls", key: `calls from ${part.key}`, calls: [part] })
    }
  }
  return segments
}

type SegmentProps = Omit<ReplyProps, "message" | "isGoingOn"> & {
  readonly segment: SegmentOf
  readonly message: string
}

function Segment({ segment, message, ...props }: SegmentProps): ReactNode {
  const { run, approvals, toolNames, renderRequest, onFollow, marksUnasked = false } = props
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
                  status={run.status === "paused" ? "running" : run.status}
                  onFollow={onFollow}
                  marksUnasked={marksUnasked}
                />
              )
            }}
          </InSteps>
        </ul>
      )
    case "request":
      return (
        <div className={look.request} data-request={segment.approval.id}>
          {renderRequest({ approval: segment.approval, block: segment.key, message, thread: run.id })}
        </div>
      )
  }
}

function By({ model, at }: { readonly model: string; readonly at: number | null }): ReactNode {
  return (
    <p className={look.by}>
      <ShownName text={model} />
      {at !== null && <Clock at={at} />}
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

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

function Clock({ at }: { readonly at: number }): ReactNode {
  return (
    <time className={look.when} dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {clock.format(at)}
    </time>
  )
}
