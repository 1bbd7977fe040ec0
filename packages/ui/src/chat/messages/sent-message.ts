import type { StoryItemView } from "@byleave/api"
import type { LiveLeg } from "../../run/live-leg.ts"
import { storyTurns } from "../../run/story-turns.ts"
import { type ChatMessage, chatMessages } from "./chat-messages.ts"
import { type ToldThread, withLiveLeg } from "./thread-messages.ts"

/** A message that was sent and that the story may not have yet. */
export type SentMessage = {
  readonly text: string
  readonly at: number
  /** The newest line of the story when it was sent. */
  readonly after: number
  /** The newest leg that was told of then: the reply is a later one. */
  readonly leg: number
}

export function sentNow(
  { text, at }: Pick<SentMessage, "text" | "at">,
  items: readonly StoryItemView[],
  live: LiveLeg | null,
): SentMessage {
  const legs = items.map((item) => ("leg" in item ? item.leg : 0))
  return { text, at, after: items.at(-1)?.seq ?? 0, leg: Math.max(0, live?.leg ?? 0, ...legs.slice(-50)) }
}

/** The messages of a thread with one that was just sent, and the reply to it, before the story has them. */
export function withSent(told: ToldThread, live: LiveLeg | null, sent: SentMessage | null): readonly ChatMessage[] {
  if (sent === null || isInStory(told.items, sent)) return withLiveLeg(told, live)
  const { text, at } = sent
  const seq = (told.items.at(-1)?.seq ?? 0) + 1
  const item = { kind: "message", role: "user", seq, at, text, isCut: false } as const
  const isReply = live !== null && live.leg > sent.leg
  const before = isReply ? told.messages : withLiveLeg(told, live)
  return [...before, ...chatMessages(storyTurns([item], isReply ? live : null))]
}

function isInStory(items: readonly StoryItemView[], { after }: SentMessage): boolean {
  return items.findLast((item) => item.kind === "message" && item.role === "user" && item.seq > after) !== undefined
}
