/** A legacy conversation: what it is known by, and what is going on in it. Idle ones hold nothing but the first. */
import type { Session } from "@byleave/core"
import type { Identity } from "../../gateway.ts"
import type { Caller } from "../../wire/caller.ts"
import type { Backend, Exchange } from "../../wire/exchange.ts"
import type { Reply, RequestId } from "../../wire/message.ts"
import type { ConversationRecord } from "../../wire/ports.ts"
import type { Signal } from "../../wire/signal.ts"
import type { Withdrawal } from "../make-exchange.ts"
import type { EventLog } from "./event-log.ts"

export type Conversation = {
  readonly record: ConversationRecord
  readonly backend: Backend
  /** As its newest request knew it; who is told to leave. */
  caller: Caller
  usedAt: number
  /** When the book was last asked whether it still stands. */
  checkedAt: number
  live: LiveConversation | null
}

/** The open state of a conversation. Created at the first request, dropped when idle. */
export type LiveConversation = {
  readonly exchanges: Map<RequestId, Exchange & Withdrawal>
  readonly inquiries: Map<RequestId, Inquiry>
  readonly logs: Map<string, EventLog>
  streams: OpenStreams | null
}

/** `of`: the exchange or stream with which it ends, or the open state itself: nothing of it but the conversation's last stream. `until` as of `Inquire`. */
export type Inquiry = {
  of: object
  readonly until: Signal | undefined
  readonly settle: (reply: Reply) => void
}

/** The streams that GET opens, the oldest first; never none. Each outlives a broken connection for a while. */
export type OpenStreams = {
  readonly logs: EventLog[]
  /** Ends one of them, and with the last of them all. */
  readonly drop: (log: EventLog) => void
  readonly stop: () => void
}

export function liveOf(conversation: Conversation): LiveConversation {
  conversation.live ??= { exchanges: new Map(), inquiries: new Map(), logs: new Map(), streams: null }
  return conversation.live
}

export function isIdle(live: LiveConversation): boolean {
  return live.exchanges.size + live.inquiries.size + live.logs.size === 0 && live.streams === null
}

export function legacyCaller(record: ConversationRecord, identity: Identity, session: Session): Caller {
  return {
    principal: identity.principal,
    session,
    conversation: record.id,
    era: "legacy",
    version: record.version,
    client: record.client,
    abilities: record.abilities,
  }
}
