/**
 * The messages of a thread while it grows.
 *
 * I1. They are those that the whole story and the leg under way make.
 * I2. A message that the leg under way does not belong to stays the same object, so that it is not drawn again.
 */
import type { StoryItemView } from "@byleave/api"
import type { LiveLeg } from "../../run/live-leg.ts"
import { storyTurns } from "../../run/story-turns.ts"
import { type ChatMessage, chatMessages } from "./chat-messages.ts"

/** A thread as its journal tells it. */
export type ToldThread = { readonly items: readonly StoryItemView[]; readonly messages: readonly ChatMessage[] }

export const nothingTold: ToldThread = { items: [], messages: [] }

/** `before`: what was made of an earlier part of the story; null: nothing was. */
export function toldThread(items: readonly StoryItemView[], before: ToldThread | null): ToldThread {
  if (before === null || !isBeginning(before.items, items)) {
    return { items, messages: chatMessages(storyTurns(items, null)) }
  }
  return { items, messages: withTail(before.messages, items, lastTurn(before.items), null) }
}

export function withLiveLeg({ items, messages }: ToldThread, live: LiveLeg | null): readonly ChatMessage[] {
  return live === null ? messages : withTail(messages, items, lastTurn(items), live)
}

/** Where the line with the user's last message begins: what follows the message is one reply, which may still grow. */
function lastTurn(items: readonly StoryItemView[]): number {
  const last = items.findLast((item) => item.kind === "message" && item.role === "user")
  return last === undefined ? 0 : items.findIndex(({ seq }) => seq === last.seq)
}

function withTail(
  told: readonly ChatMessage[],
  items: readonly StoryItemView[],
  from: number,
  live: LiveLeg | null,
): readonly ChatMessage[] {
  const tail = chatMessages(storyTurns(items.slice(from), live))
  const at = told.findLastIndex(({ key }) => key === tail[0]?.key)
  if (at === -1) return chatMessages(storyTurns(items, live))
  const [first] = told.slice(at)
  // The user's message has not changed; the reply to it may have.
  return first?.kind === "user" ? [...told.slice(0, at), first, ...tail.slice(1)] : [...told.slice(0, at), ...tail]
}

function isBeginning(before: readonly StoryItemView[], items: readonly StoryItemView[]): boolean {
  return before.length <= items.length && before.at(-1) === items[before.length - 1]
}
