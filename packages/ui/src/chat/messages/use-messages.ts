import type { StoryItemView } from "@byleave/api"
import { useCallback, useMemo, useRef, useState } from "react"
import type { LiveLeg } from "../../run/live-leg.ts"
import type { ChatMessage } from "./chat-messages.ts"
import { type SentMessage, sentNow, withSent } from "./sent-message.ts"
import { nothingTold, type ToldThread, toldThread } from "./thread-messages.ts"

export type ThreadMessages = {
  /** Null where the story was not read yet. */
  readonly messages: readonly ChatMessage[] | null
  /** The thread begins with a message that was sent here, and its story need not be read before it is shown. */
  readonly isBeginning: boolean
  /** Shows a message while it is sent; null takes it back. */
  readonly onSending: (text: string | null) => void
  /** The message that is being sent has begun this thread. */
  readonly onStarted: (id: string) => void
}

/** `thread`: null where the message begins one that has no id yet. */
type Sent = { readonly thread: string | null; readonly message: SentMessage }

/** The messages of a thread, with the leg under way and the message that is being sent. */
export function useMessages(
  id: string | null,
  items: readonly StoryItemView[] | null,
  live: LiveLeg | null,
): ThreadMessages {
  const before = useRef<ToldThread | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  const message = sent !== null && sent.thread === id ? sent.message : null
  const isBeginning = message !== null && message.after === 0
  const told = useMemo(() => {
    before.current = items === null ? null : toldThread(items, before.current)
    return before.current
  }, [items])
  const messages = useMemo(
    () => (told === null && !isBeginning ? null : withSent(told ?? nothingTold, live, message)),
    [told, live, message, isBeginning],
  )
  const onSending = useCallback(
    (text: string | null): void =>
      setSent(text === null ? null : { thread: id, message: sentNow({ text, at: Date.now() }, items ?? [], live) }),
    [id, items, live],
  )
  const onStarted = useCallback(
    (started: string): void => setSent((now) => (now?.thread === null ? { ...now, thread: started } : now)),
    [],
  )
  return { messages, isBeginning, onSending, onStarted }
}
