/**
 * The legacy conversations this process knows, filled from the book on demand: after a restart, or when a load balancer
 * sends a client here. Someone else's conversation and one that never was look the same.
 *
 * I1. A conversation is found by nobody but the principal that opened it.
 * I2. It is found on no other path than its own: what one server was told of a client is not for another.
 * I3. One that ended at another replica is over here within half a minute.
 * I4. What ends withdraws what is in flight in it.
 * I5. A principal has so many of them in memory and no more: the one unused longest makes room, never one in which something goes on, and none of
 *     another principal.
 */
import type { Identity } from "../../gateway.ts"
import type { Backend, Leaving } from "../../wire/exchange.ts"
import type { ConversationRecord } from "../../wire/ports.ts"
import type { HttpFrontOptions } from "../front-options.ts"
import { ownSession } from "../name-session.ts"
import { type Conversation, isIdle, legacyCaller } from "./conversation.ts"

/** A DELETE at another replica is noticed here within this. */
const recheckMs = 30_000
/** How long the events of a stream whose connection broke are kept after its reply. */
const replayMs = 5 * 60_000
const sweepMs = 30_000
const mostConversations = 1_000

export class TooManyConversations extends Error {
  constructor(most: number) {
    super(`This agent has ${most} sessions in which something goes on. End one of them before the next.`)
  }
}

export type Conversations = {
  /** Throws `TooManyConversations`; and so does `find`. */
  readonly open: (record: ConversationRecord, backend: Backend, identity: Identity) => Promise<Conversation>
  /** Returns a conversation that is known here and was looked up not long ago. */
  readonly known: (id: string, identity: Identity, path: string) => Conversation | undefined
  readonly find: (id: string, identity: Identity, path: string, backend: Backend) => Promise<Conversation | undefined>
  readonly end: (conversation: Conversation) => Promise<void>
  /** Ends those that a principal opened before `until`. */
  readonly endAll: (principal: string, until: number) => Promise<void>
  /** Characters of replies that are kept for clients of this principal whose connections broke. */
  readonly kept: (principal: string) => number
  readonly counts: () => { readonly conversations: number; readonly open: number }
  readonly close: () => void
}

export function createConversations(options: HttpFrontOptions): Conversations {
  const { conversations: book, now, times } = options
  const most = options.mostConversations ?? mostConversations
  const known = new Map<string, Conversation>()
  const counted = new Map<string, number>()
  const sweeper = setInterval(sweep, sweepMs).unref()
  return { open, known: knownHere, find, end, endAll, kept, counts, close }

  async function open(record: ConversationRecord, backend: Backend, identity: Identity): Promise<Conversation> {
    makeRoom(record.principal)
    await book.put(record)
    return remember(record, backend, identity)
  }

  function remember(record: ConversationRecord, backend: Backend, identity: Identity): Conversation {
    makeRoom(record.principal)
    const at = now()
    const caller = legacyCaller(record, identity, ownSession(identity, record.id))
    const made = { record, backend, caller, usedAt: at, checkedAt: at, live: null }
    known.set(record.id, made)
    counted.set(record.principal, (counted.get(record.principal) ?? 0) + 1)
    return made
  }

  function makeRoom(principal: string): void {
    if ((counted.get(principal) ?? 0) < most) return
    let oldest: Conversation | undefined
    for (const conversation of known.values()) {
      const { record, live, usedAt } = conversation
      if (record.principal !== principal || (live !== null && !isIdle(live))) continue
      if (oldest === undefined || usedAt < oldest.usedAt) oldest = conversation
    }
    if (oldest === undefined) throw new TooManyConversations(most)
    // Its record stays, and it comes back by that.
    forget(oldest, "idle")
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
      forget(conversation, "over")
      return false
    }
    conversation.checkedAt = now()
    return true
  }

  async function end(conversation: Conversation): Promise<void> {
    await book.remove(conversation.record.id)
    forget(conversation, "over")
    await options.onEnded?.(conversation.caller)
  }

  async function endAll(principal: string, until: number): Promise<void> {
    const theirs = [...known.values()].filter(({ record }) => record.principal === principal)
    const ended = theirs.filter(({ record }) => record.createdAt < until)
    // Before anything is awaited: what goes on in them must not go on meanwhile.
    for (const conversation of ended) forget(conversation, "over")
    await Promise.all(ended.map(({ record }) => book.remove(record.id)))
  }

  function forget(conversation: Conversation, why: Leaving): void {
    const { record, live } = conversation
    if (!known.delete(record.id)) return
    const left = (counted.get(record.principal) ?? 0) - 1
    if (left > 0) counted.set(record.principal, left)
    else counted.delete(record.principal)
    live?.streams?.stop()
    for (const exchange of live?.exchanges.values() ?? []) exchange.withdraw()
    conversation.backend
      .leave(conversation.caller, why)
      .catch(() => options.log?.("A conversation could not be left cleanly."))
  }

  function kept(principal: string): number {
    let characters = 0
    for (const { record, live } of known.values()) {
      if (live === null || record.principal !== principal) continue
      for (const log of live.logs.values()) if (log.endedAt !== null) characters += log.characters
    }
    return characters
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
      if (conversation.live === null && at - conversation.usedAt > times.idleConversationMs)
        forget(conversation, "idle")
    }
  }

  function counts(): { readonly conversations: number; readonly open: number } {
    let open = 0
    for (const { live } of known.values()) open += (live?.exchanges.size ?? 0) + (live?.streams === null ? 0 : 1)
    return { conversations: known.size, open }
  }

  function close(): void {
    clearInterval(sweeper)
    for (const { live } of known.values()) live?.streams?.stop()
  }
}

function isTheirs(record: ConversationRecord, identity: Identity, path: string): boolean {
  return record.principal === identity.principal.id && record.path === path
}
