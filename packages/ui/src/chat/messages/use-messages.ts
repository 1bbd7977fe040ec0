import type { StoryItemView } from "@byleave/api"
import { useMemo, useRef } from "react"
import type { LiveLeg } from "../../run/live-leg.ts"
import type { ChatMessage } from "./chat-messages.ts"
import { type ToldThread, toldThread, withLiveLeg } from "./thread-messages.ts"

/** The messages of a thread, with the leg under way. Null where its story was not read yet. */
export function useMessages(
  items: readonly StoryItemView[] | null,
  live: LiveLeg | null,
): readonly ChatMessage[] | null {
  const before = useRef<ToldThread | null>(null)
  const told = useMemo(() => {
    before.current = items === null ? null : toldThread(items, before.current)
    return before.current
  }, [items])
  return useMemo(() => (told === null ? null : withLiveLeg(told, live)), [told, live])
}
