import type { StoryItemView } from "@byleave/api"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import type { LiveLeg } from "../../run/live-leg.ts"
import type { ChatMessage } from "./chat-messages.ts"
import { type SentMessage, sentNow, withSent } from "./sent-message.ts"
import { type ToldThread, toldThread } from "./thread-messages.ts"

export type ThreadMessages = {
  /** Null where the story was not read yet. */
  readonly messages: readonly ChatMessage[] | null
  /** Shows a message while it is sent; null takes it back. */
  readonly onSending: (text: string | null) => void
}

/** The messages of a thread, with the leg under way and the message that is being sent. */
export function useMessages(
  id: string | null,
  items: readonly StoryItemView[] | null,
  live: LiveLeg | null,
): ThreadMessages {
  const before = useRef<ToldThread | null>(null)
  const [sent, setSent] = useState<SentMessage | null>(null)
  const told = useMemo(() => {
    before.current = items === null ? null : toldThread(items, before.current)
    return before.current
  }, [items])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread has other messages
  useEffect(() => setSent(null), [id])
  const messages = useMemo(() => (told === null ? null : withSent(told, live, sent)), [told, live, sent])
  const onSending = useCallback(
    (text: string | null): void =>
      setSent(text === null || items === null ? null : sentNow({ text, at: Date.now() }, items, live)),
    [items, live],
  )
  return { messages, onSending }
}
