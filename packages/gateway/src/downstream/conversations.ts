/**
 * The legacy conversations this process knows, filled from the book on demand: after a restart, or when a load balancer
 * sends a client here. Someone else's conversation and one that never was look the same.
 *
 * I1. A conversation is found by nobody but the principal that opened it.
 * I2. It is found on no other path than its own: what one server was told of a client is not for another.
 * I3. One that ended at another replica is over here within half a minute.
 * I4. What ends withdraws what is in flight in it.
 */
import type { Identity } from "../gateway.ts"
import type { Backend } from "../wire/exchange.ts"
import type { ConversationRecord } from "../wire/ports.ts"
import { type Conversation, isIdle, legacyCaller } from "./conversation.ts"
import type { HttpFrontOptions } from "./front-options.ts"
import { ownSession } from "./name-session.ts"

/** A DELETE at another replica is noticed here within this. */
const recheckMs = 30_000
/** How long the events of a stream whose connection broke are kept after its reply. */
const replayMs = 5 * 60_000
const sweepMs = 30_000

export type Conversations = {
  readonly open: (record: ConversationRecord, backend: Backend, identity: Identity) => Promise<Conversation>
  /** One that is known here and was looked up not long ago. */
  readonly known: (id: string, identity: Identity, path: string) => Conversation | undefined
  readonly find: (id: string, identity: Identity, path: string, backend: Backend) => Promise<Conversation | undefined>
  readonly end: (conversation: Conversation) => Promise<void>
  readonly counts: () => { readonly conversations: number; readonly open: number }
  readonly close: () => void
}

export function createConversations(options: HttpFrontOptions): Conversations {
  const { conversations: book, now, times } = options
  const known = new Map<string, Conversation>()
  const sweeper = setInterval(sweep, sweepMs).unref()
  return { open, known: knownHere, find, end, counts, close }

  async function open(record: ConversationRecord, backend: Backend, identity: Identity): Promise<Conversation> {
    await book.put(record)
    return remember(record, backend, identity)
  }

  function remember(record: ConversationRecord, backend: Backend, identity: Identity): Conversation {
    const at = now()
    const caller = legacyCaller(record, identity, ownSession(identity, record.id))
    const made = { record, backend, caller, usedAt: at, checkedAt: at, renewedAt: at, live: null }
    known.set(record.id, made)
    return made
  }

  function knownHere(id: string, identity: Identity, path: string): Conversation | undefined {
    const conversation = known.get(id)
    if (conversation === undefined || !isTheirs(conversation.record, identity, path)) return undefined
    const at = now()
    if (at - conversation.checkedAt > recheckMs) return undefined
    conversation.usedAt = at
    return conversation
  }

  async function find(
    id: string,
    identity: Identity,
    path: string,
    backend: Backend,
  ): Promise<Conversation | undefined> {
    let conversation = known.get(id)
    if (conversation === undefined) {
      const record = await book.get(id)
      if (record === undefined || !isTheirs(record, identity, path)) return undefined
      conversation = known.get(id) ?? remember(record, backend, identity)
    }
    if (!isTheirs(conversation.record, identity, path)) return undefined
    if (now() - conversation.checkedAt > recheckMs && !(await stillStands(conversation))) return undefined
    conversation.usedAt = now()
    return conversation
  }

  async function stillStands(conversation: Conversation): Promise<boolean> {
    const { record } = conversation
    if ((await book.get(record.id)) === undefined) {
      forget(conversation)
      return false
    }
    conversation.checkedAt = now()
    // The book forgets what nobody used: say that someone does, now and then.
    if (now() - conversation.renewedAt > times.conversationMs / 8) {
      conversation.renewedAt = now()
      await book.put(record)
    }
    return true
  }

  async function end(conversation: Conversation): Promise<void> {
    await book.remove(conversation.record.id)
    forget(conversation)
    await options.onEnded?.(conversation.caller)
  }

  function forget(conversation: Conversation): void {
    if (!known.delete(conversation.record.id)) return
    const { live } = conversation
    live?.attendance?.stop()
    for (const exchange of live?.exchanges.values() ?? []) exchange.withdraw()
    conversation.backend
      .leave(conversation.caller)
      .catch(() => options.log?.("A conversation could not be left cleanly."))
  }

  function sweep(): void {
    const at = now()
    for (const conversation of known.values()) {
      const { live } = conversation
      if (live !== null) {
        for (const log of live.logs.values()) {
          if (log.endedAt !== null && at - log.endedAt > replayMs) live.logs.delete(log.name)
        }
        if (isIdle(live)) conversation.live = null
      }
      // Its record stays: another replica may be in use, and the book knows when its time is up.
      if (conversation.live === null && at - conversation.usedAt > times.conversationMs) forget(conversation)
    }
  }

  function counts(): { readonly conversations: number; readonly open: number } {
    let open = 0
    for (const { live } of known.values()) open += (live?.exchanges.size ?? 0) + (live?.attendance === null ? 0 : 1)
    return { conversations: known.size, open }
  }

  function close(): void {
    clearInterval(sweeper)
    for (const { live } of known.values()) live?.attendance?.stop()
  }
}

function isTheirs(record: ConversationRecord, identity: Identity, path: string): boolean {
  return record.principal === identity.principal.id && record.path === path
}
