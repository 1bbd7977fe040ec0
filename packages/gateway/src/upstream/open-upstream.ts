/**
 * One configured server: its connections, shared by all who ask for the same, its life and its health.
 *
 * A connection with an owner is shared by nobody else. When a server has forgotten the session, what had not been sent to it is sent
 * in a new one, and so is what does nothing and nobody approved: by whoever sent it, where something was checked of the session before.
 * Anything else was sent once and is not sent again; the next request opens the new session.
 */
import { canonicalJson } from "@byleave/core"
import type { GatewayServer } from "../gateway.ts"
import type { Era } from "../wire/caller.ts"
import type { Reply } from "../wire/message.ts"
import { type Account, accountOf, everyones } from "./back-offs.ts"
import type { Subscriptions, UpstreamConnection } from "./connection.ts"
import { createDialer } from "./dial.ts"
import { replyTo } from "./era/speak-era.ts"
import { statusOf } from "./http/http-status.ts"
import { createLife } from "./life.ts"
import { isOutdated, type Link, LinkError, type LinkFor, type LinkRequest, type Upstream } from "./link.ts"
import { takeTurns } from "./take-turns.ts"
import { settingOf, type UpstreamOptions } from "./upstream-options.ts"

/** A connection and those who hold it; it ends when nobody does. */
type Entry = {
  readonly key: string
  readonly account: Account
  readonly opening: Promise<UpstreamConnection>
  connection: UpstreamConnection | null
  holders: number
  readonly wants: Map<Link, Subscriptions>
  /** Nothing new goes over it. */
  retired: boolean
  closed: boolean
}

/** How often a connection is opened when the server is restarted meanwhile. */
const mostTries = 3

export function openUpstream(server: GatewayServer, options: UpstreamOptions): Upstream {
  const setting = settingOf(server.id, options)
  const life = createLife(setting)
  const turns = takeTurns(server.id, options.turns)
  const isChild = server.transport.kind === "stdio"
  const entries = new Map<string, Entry>()
  const closing = new Set<Promise<void>>()
  let dialer = createDialer(server, setting)

  function keyOf(era: Era, wanted: LinkFor): string {
    if (server.refreshConnection === true) return setting.newId()
    const version = era === "legacy" ? wanted.version : ""
    return JSON.stringify([era, version, canonicalJson(wanted.abilities), wanted.owner])
  }

  async function entryFor(wanted: LinkFor): Promise<Entry> {
    const era = dialer.known() ?? (await life.attempt(everyones, dialer.era))
    const key = keyOf(era, wanted)
    const entry = entries.get(key) ?? newEntry(key, wanted)
    entry.holders++
    return entry
  }

  function newEntry(key: string, wanted: LinkFor): Entry {
    const account = accountOf(wanted)
    const opening = life.attempt(account, () => dialer.open(wanted, (error) => ended(entry, error)))
    const entry: Entry = {
      key,
      account,
      opening,
      connection: null,
      holders: 0,
      wants: new Map(),
      retired: false,
      closed: false,
    }
    entries.set(key, entry)
    opening.then(
      (connection) => {
        life.connected()
        entry.connection = connection
        if (entry.retired) close(entry)
      },
      () => leave(entry),
    )
    return entry
  }

  function leave(entry: Entry): void {
    entry.retired = true
    if (entries.get(entry.key) === entry) entries.delete(entry.key)
  }

  function ended(entry: Entry, error: LinkError | null): void {
    // A death while it was in use; one that we caused has left already.
    if (!entry.retired && isChild && error !== null) {
      // All connections to a modern process are one: the next one first asks which era it speaks.
      life.died(entry.connection?.era === "modern" ? everyones : entry.account, error)
      dialer.forget()
    }
    leave(entry)
    closeIfUnused(entry)
  }

  function close(entry: Entry): void {
    leave(entry)
    if (entry.connection === null || entry.closed) return
    entry.closed = true
    const done: Promise<void> = entry.connection.close().catch(() => {})
    closing.add(done)
    void done.finally(() => closing.delete(done))
  }

  function closeIfUnused(entry: Entry): void {
    const unused = entry.retired || entry.holders === 0
    if (unused && (entry.connection?.inFlight() ?? 0) === 0) close(entry)
  }

  /** Its holders ask for another one; what runs may end. */
  function retire(entry: Entry): void {
    if (entry.retired) return
    dialer.forget()
    leave(entry)
    entry.connection?.listeners.end()
  }

  /** A connection that was closed while it was being opened, as by a restart, is opened anew. */
  async function link(wanted: LinkFor): Promise<Link> {
    for (let tries = 1; tries < mostTries; tries++) {
      const before = dialer
      const opened = await openLink(wanted).catch((error: unknown) => {
        if (dialer === before) throw error
        return null
      })
      if (opened !== null && dialer === before) return opened
      opened?.release()
    }
    return openLink(wanted)
  }

  async function openLink(wanted: LinkFor): Promise<Link> {
    const entry = await entryFor(wanted)
    try {
      return linkOf(entry, await entry.opening, wanted)
    } catch (error) {
      entry.holders--
      throw error
    }
  }

  function linkOf(entry: Entry, connection: UpstreamConnection, wanted: LinkFor): Link {
    let held = true
    const answered = (carried: LinkRequest, reply: Reply): Reply => {
      life.well()
      closeIfUnused(entry)
      return replyTo(carried.asker, carried.ask.method, reply, connection.era)
    }
    const send: Link["requestInTurn"] = (carried, sendAnew) =>
      connection.request(carried).then(
        (reply) => answered(carried, reply),
        (error: unknown) => unanswered(entry, carried, error, sendAnew),
      )
    const self: Link = {
      era: connection.era,
      version: connection.version,
      hello: connection.hello,
      request: (carried) => turns(carried, () => send(carried, () => inNewSession(wanted, carried))),
      requestInTurn: send,
      notify: (notice) => connection.notify(notice),
      listen: (listener) => connection.listeners.add(listener),
      want: (wants) => {
        if (held) entry.wants.set(self, wants)
        connection.want(allWants(entry))
      },
      continuity: connection.continuity,
      release: () => {
        if (!held) return
        held = false
        entry.holders--
        if (entry.wants.delete(self)) connection.want(allWants(entry))
        closeIfUnused(entry)
      },
    }
    return self
  }

  function unanswered(
    entry: Entry,
    carried: LinkRequest,
    error: unknown,
    sendAnew: (() => Promise<Reply>) | null,
  ): Promise<Reply> {
    if (isOutdated(error) && sendAnew !== null) return sendAnew()
    const { era } = entry.connection ?? {}
    const status = statusOf(error) ?? 0
    const forgotten = era === "legacy" && status === 404
    if (forgotten || (era === "modern" && otherEra.has(status))) retire(entry)
    closeIfUnused(entry)
    const nothingDone = error instanceof LinkError && (error.code === "unreachable" || error.code === "refused")
    if (forgotten && nothingDone && sendAnew !== null && !carried.signal.aborted) return sendAnew()
    // What is closed from this side says nothing about the server.
    if (nothingDone && !isChild && !entry.closed) {
      life.ailing(error)
      dialer.forget()
    }
    return Promise.reject(error)
  }

  async function inNewSession(wanted: LinkFor, carried: LinkRequest): Promise<Reply> {
    const entry = await entryFor(wanted)
    try {
      const connection = await entry.opening
      const reply = await connection.request(carried)
      return replyTo(carried.asker, carried.ask.method, reply, connection.era)
    } finally {
      entry.holders--
      // A session that others may share stays for its next holder, with what this request may have left in it.
      if (wanted.principal !== null || server.refreshConnection === true) closeIfUnused(entry)
    }
  }

  async function endAll(): Promise<void> {
    const ending = dialer
    for (const entry of [...entries.values()]) close(entry)
    // A session is ended over the connections that the dialer keeps.
    await Promise.allSettled(closing)
    await ending.close()
  }

  async function stop(): Promise<void> {
    life.stop()
    await endAll()
  }

  return {
    id: server.id,
    link,
    inTurn: turns,
    era: () => dialer.lastFound(),
    health: () => life.health(dialer.lastFound(), entries.size),
    restart: async () => {
      const old = endAll()
      dialer = createDialer(server, setting)
      life.reset()
      await old
    },
    stop,
    close: stop,
  }
}

// How a server answers a modern request that has become legacy since it was asked.
const otherEra: ReadonlySet<number> = new Set([400, 404, 405, 406, 415])

function allWants(entry: Entry): Subscriptions {
  const lists = new Set<string>()
  const resources = new Set<string>()
  for (const wants of entry.wants.values()) {
    for (const kind of wants.lists) lists.add(kind)
    for (const uri of wants.resources) resources.add(uri)
  }
  return { lists, resources }
}
