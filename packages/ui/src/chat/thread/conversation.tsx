import type { ApprovalSummaryView, RunView } from "@byleave/api"
import { type ReactNode, type RefObject, useEffect, useRef } from "react"
import { Composer, type ComposerProps } from "../composer/composer.tsx"
import { WaitingBar } from "../composer/waiting-bar.tsx"
import { Announcer } from "../messages/announcer.tsx"
import type { ChatMessage } from "../messages/chat-messages.ts"
import { useFollowEnd } from "../messages/use-follow-end.ts"
import { showRequest } from "../messages/waiting-calls.ts"
import look from "./conversation.module.css"

type ConversationProps = {
  /** Null: the thread begins with its first message. */
  readonly id: string | null
  readonly head: ReactNode
  /** The messages, or what stands instead of them. */
  readonly children: ReactNode
  readonly messages: readonly ChatMessage[]
  /** The calls of the thread that wait, in the order the model made them. */
  readonly waiting: readonly ApprovalSummaryView[]
  /** The messages were read: from now on new ones are announced. */
  readonly isReady: boolean
  /** A sentence on what somebody has just done in it, for those who listen to the page. */
  readonly done?: string
  /** Null: nothing can be written. */
  readonly composer: Omit<ComposerProps, "waiting" | "children"> | null
  /** Stands instead of the composer. */
  readonly foot?: ReactNode
  /** Beside the composer's buttons: the model and the servers. */
  readonly choices?: ReactNode
  /** Above the composer: why something was not done. */
  readonly problem?: ReactNode
  readonly scroll: RefObject<HTMLDivElement | null>
}

/** One thread: its head, its messages, and the composer, which stays where it is when the first message makes a thread. */
export function Conversation(props: ConversationProps): ReactNode {
  const { id, messages, waiting, composer, scroll } = props
  useFollowEnd(scroll, id)
  useFocusKept(scroll, waiting)
  return (
    <section className={look.conversation} aria-label="Conversation">
      {props.head}
      <div ref={scroll} className={look.scroll} tabIndex={-1}>
        {props.children}
      </div>
      {composer !== null && (
        <div className={look.foot}>
          <WaitingBar waiting={waiting} onShow={(call) => showRequest(scroll.current, call)} />
          {props.problem}
          <Composer {...composer} waiting={waiting.length}>
            {props.choices}
          </Composer>
        </div>
      )}
      {props.foot !== undefined && <div className={look.foot}>{props.foot}</div>}
      <Announcer messages={messages} waiting={waiting} isReady={props.isReady} done={props.done ?? ""} key={id} />
    </section>
  )
}

/** A card that was decided goes, and the focus with it: it goes on to the next one that waits, or stays in the thread. */
function useFocusKept(scroll: ConversationProps["scroll"], waiting: ConversationProps["waiting"]): void {
  const before = useRef(0)
  const [next] = waiting
  useEffect(() => {
    const isFewer = waiting.length < before.current
    before.current = waiting.length
    if (!isFewer || document.activeElement !== document.body) return
    if (next === undefined) scroll.current?.focus({ preventScroll: true })
    else showRequest(scroll.current, next.id)
  }, [waiting.length, next, scroll])
}

/** `isOff`: the service cannot be reached. */
export function composerState(run: RunView | null, waiting: number, isOff: boolean): ComposerProps["state"] {
  if (isOff) return "off"
  if (run?.status === "running") return "replying"
  return waiting > 0 ? "waiting" : "ready"
}
