/**
 * A thread's story as the messages of a chat.
 *
 * I1. Everything the model says and does between two messages of the user is one reply, however often it paused in between.
 * I2. A reply keeps its key while it grows, so that what somebody unfolded in it stays open.
 * I3. A part of a reply is what it was told as: text never becomes a call, and only a call can need approval.
 */

import type { StoryTurn, TurnCall } from "../../run/story-turns.ts"
import { type AttachedFile, splitAttachments } from "../composer/attachments.ts"

export type ReasoningPart = {
  readonly kind: "reasoning"
  readonly key: string
  readonly text: string
  /** The service tells no more of it. */
  readonly isCut: boolean
  readonly isLive: boolean
}

export type TextPart = {
  readonly kind: "text"
  readonly key: string
  readonly text: string
  /** The service tells no more of it. */
  readonly isCut: boolean
  readonly isLive: boolean
}

export type CallPart = { readonly kind: "call"; readonly key: string; readonly call: TurnCall }

export type ChatPart = ReasoningPart | TextPart | CallPart

/** A picture of a message, by its line of the journal and its place in it. */
export type MessagePicture = { readonly seq: number; readonly nth: number; readonly name: string }

export type UserMessage = {
  readonly kind: "user"
  readonly key: string
  readonly at: number
  readonly text: string
  readonly isCut: boolean
  readonly files: readonly AttachedFile[]
  readonly pictures: readonly MessagePicture[]
}

export type ReplyMessage = {
  readonly kind: "reply"
  readonly key: string
  /** When its first step was written down; null: it is under way. */
  readonly at: number | null
  readonly parts: readonly ChatPart[]
}

export type ChatMessage = UserMessage | ReplyMessage

export function chatMessages(turns: readonly StoryTurn[]): readonly ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const turn of turns) {
    if (turn.kind === "message" && turn.role === "user") {
      const { key, at, isCut, seq, pictures = [] } = turn
      const shown = pictures.map(({ nth, name }) => ({ seq, nth, name }))
      messages.push({ kind: "user", key, at, isCut, ...splitAttachments(turn.text), pictures: shown })
      continue
    }
    const parts = partsOf(turn)
    const last = messages.at(-1)
    if (last?.kind === "reply") messages[messages.length - 1] = { ...last, parts: [...last.parts, ...parts] }
    else messages.push({ kind: "reply", key: `reply to ${last?.key ?? "nothing"}`, at: turn.at, parts })
  }
  return messages
}

function partsOf(turn: StoryTurn): readonly ChatPart[] {
  if (turn.kind === "message") {
    if (turn.role !== "assistant") return []
    return [{ kind: "text", key: turn.key, text: turn.text, isCut: turn.isCut, isLive: false }]
  }
  const { key, text, isCut, reasoning, isReasoningCut, calls } = turn
  const isLive = turn.at === null
  return [
    ...(reasoning === ""
      ? []
      : [{ kind: "reasoning" as const, key: `${key} reasoning`, text: reasoning, isCut: isReasoningCut, isLive }]),
    ...(text === "" ? [] : [{ kind: "text" as const, key: `${key} text`, text, isCut, isLive }]),
    ...calls.map((call) => ({ kind: "call" as const, key: `${key} ${call.toolCall}`, call })),
  ]
}

/** The text of the newest reply, for whoever listens to the page; empty while it is still being written. */
export function newestWords(messages: readonly ChatMessage[]): string {
  const last = messages.at(-1)
  if (last?.kind !== "reply") return ""
  const said = last.parts.filter((part) => part.kind === "text").at(-1)
  return said === undefined || said.isLive ? "" : said.text.replaceAll(/[*_`#>|]+/g, "")
}
