/**
 * Which connection a caller's requests go over. Callers that declare the same share one; a client that a legacy server may ask something
 * has its own, so that a question always reaches the session whose call caused it.
 *
 * I1. A client that a legacy server may ask something shares its connection with no other conversation.
 * I2. No caller is given the connection of another, whatever both declare.
 * I3. No principal has more connections by what it declares than allowed, shared or its own, and making room for one takes none of another.
 * I4. Whoever leaves ends its own connection and nobody else's; one that is only forgotten ends none on which something runs.
 * I5. A connection by what a client declares, its revision of the protocol included, that nobody uses or listens to ends within minutes; its client
 *     gets another when it comes back.
 * I6. A connection that was given up and is used once more, as by a call that waited long for its answer, counts and ends like any other.
 * I7. What a server asks outside any request, in a conversation that several sessions share, reaches nobody: it cannot be told whose it is.
 */
import { type JsonObject, objectAt } from "@byleave/core"
import type { GatewayTimes } from "../gateway.ts"
import { LinkError, type LinkFor, type Upstream } from "../upstream/link.ts"
import type { StandingClient } from "../upstream/question-routes.ts"
import type { Caller, Era } from "../wire/caller.ts"
import { abilitiesForServer } from "../wire/client-for-server.ts"
import type { Leaving } from "../wire/exchange.ts"
import type { Ask, Reply } from "../wire/message.ts"
import { newestLegacy } from "../wire/versions.ts"
import type { MayBeNotified, NoticeListeners } from "./listening/notice-listeners.ts"
import { createServerConnection, type ServerConnection, type ServerConnectionPorts } from "./server-connection.ts"
import type { ToolListLimits } from "./tools/read-tools.ts"
import type { ServerTools } from "./tools/server-tools.ts"

export type ServerConnections = {
  readonly of: (caller: Caller) => ServerConnection
  /** The same, where a connection is open already. */
  readonly open: (caller: Caller) => ServerConnection | undefined
  /** The connection of nobody in particular, for the gateway's own questions. */
  readonly common: () => ServerConnection
  readonly all: () => Iterable<ServerConnection>
  readonly leave: (caller: Caller, why: Leaving) => void
  readonly close: () => void
}

export type ServerConnectionsPorts = {
  readonly upstream: Upstream
  readonly serverTools: ServerTools
  readonly limits: ToolListLimits
  readonly refresh: boolean
  /** Each connection of its own is a process. */
  readonly isProcess: boolean
  readonly times: GatewayTimes
  readonly now: () => number
  readonly log: (line: string) => void
  readonly mayHear: MayBeNotified
  readonly named: ServerConnectionPorts["named"]
  /** A question outside any request, from the server of the connection this caller opened. */
  readonly judged: (caller: Caller | null, ask: Ask, listeners: NoticeListeners) => Promise<Reply>
  /** Puts to this caller, outside any request, what has been judged. */
  readonly standing: (caller: Caller, listeners: NoticeListeners) => StandingClient
}

/** Clients declare their abilities freely, and each connection may be a process: so many connections per principal, and no more. */
const mostDeclared = { process: 16, address: 100 }

/** `principals`: those whose declarations the connection exists for, and counts towards; null if nothing was declared. */
type Kept = ServerConnection & {
  readonly principals: Set<string> | null
  /** The session whose requests go over it; null: there are several, or it is nobody's own. */
  session: string | null
}

const asked = ["elicitation", "sampling", "roots", "tasks"]
const sweepMs = 30_000

export function createServerConnections(ports: ServerConnectionsPorts): ServerConnections {
  const { upstream, times, now } = ports
  const most = ports.isProcess ? mostDeclared.process : mostDeclared.address
  const kept = new Set<Kept>()
  const byKey = new Map<string, Kept>()
  // Of the whole server: connections of several legacy revisions share one connection to a modern one.
  const sharers = new Set<string>()
  const at = (wanted: LinkFor, caller: Caller | null): ServerConnection => {
    const key = keyOf(wanted)
    const found = byKey.get(key)
    if (found !== undefined) {
      count(found, wanted.principal)
      if (found.session !== null && found.session !== caller?.session.id) found.session = null
      return found
    }
    // A server's question outside any request could be about any of several sessions: none of them is asked.
    const judged = (ask: Ask, listeners: NoticeListeners): Promise<Reply> =>
      ports.judged(connection.session === null ? null : caller, ask, listeners)
    const standing = (listeners: NoticeListeners): StandingClient | null =>
      caller === null || connection.session === null ? null : ports.standing(caller, listeners)
    const opening = (): void => keep(connection, wanted.principal)
    const payer = (): string | undefined => {
      const [one, other] = connection.principals ?? []
      return other === undefined ? one : undefined
    }
    const made = createServerConnection({ ...ports, wanted, key, judged, standing, sharers, opening, payer })
    const connection: Kept = {
      ...made,
      principals: wanted.principal === null ? null : new Set(),
      session: caller?.session.id ?? null,
    }
    keep(connection, wanted.principal)
    return connection
  }
  const keep = (connection: Kept, principal: string | null): void => {
    if (kept.has(connection)) return
    count(connection, principal)
    kept.add(connection)
    if (!byKey.has(connection.key)) byKey.set(connection.key, connection)
  }
  const count = ({ principals, tools }: Kept, principal: string | null): void => {
    if (principals === null || principal === null || principals.has(principal)) return
    makeRoom(principal)
    // The list is read in nobody's share from now on, and nobody waits for one that is read in another's.
    if (principals.size === 1 && tools.known() === null) tools.changed()
    principals.add(principal)
  }
  // A principal that has many gives up what others have as well, which then is theirs, or its own that was idle longest; where none is, it must wait.
  const makeRoom = (principal: string): void => {
    const theirs = [...kept].filter(({ principals }) => principals?.has(principal) === true)
    if (theirs.length < most) return
    const common = theirs.find(({ principals }) => principals !== null && principals.size > 1)
    if (common !== undefined) {
      common.principals?.delete(principal)
      return
    }
    const idle = theirs.filter((connection) => connection.idleSince() !== null)
    const [longest] = idle.toSorted((one, other) => (one.idleSince() ?? 0) - (other.idleSince() ?? 0))
    if (longest === undefined) throw tooMany(upstream.id, most)
    giveUp(longest)
  }
  const giveUp = (connection: Kept): void => {
    kept.delete(connection)
    connection.principals?.clear()
    if (byKey.get(connection.key) === connection) byKey.delete(connection.key)
    connection.release()
  }
  const sweep = (): void => {
    for (const connection of kept) {
      const idle = connection.idleSince()
      const limit = connection.key === commonKey ? times.sharedConnectionMs : times.ownConnectionMs
      if (idle !== null && now() - idle >= limit) giveUp(connection)
    }
  }
  const timer = setInterval(sweep, sweepMs)
  timer.unref()
  return {
    of: (caller) => at(linkFor(caller, upstream.era()), caller),
    open: (caller) => {
      const connection = byKey.get(keyOf(linkFor(caller, upstream.era())))
      return connection?.isOpen() === true ? connection : undefined
    },
    common: () => at(commonLink, null),
    all: () => kept,
    leave: (caller, why) => {
      for (const connection of kept) {
        connection.levels.forget(caller.conversation)
        const dropped = connection.listeners.subscriptions.forget(caller.conversation)
        if (connection.owner === caller.conversation) {
          // Running work on it, such as a call whose caller was given a ticket, runs to its end; the sweep does the rest.
          if (why === "idle" && connection.idleSince() === null) continue
          giveUp(connection)
        } else if (dropped.size > 0 && connection.isOpen()) {
          connection.tell(dropped, caller.principal.id).catch(() => {})
        }
      }
    },
    close: () => {
      clearInterval(timer)
      for (const connection of kept) giveUp(connection)
    },
  }
}

const commonLink: LinkFor = { version: newestLegacy, client: null, abilities: {}, owner: null, principal: null }
const commonKey = keyOf(commonLink)

/** A text where nothing was declared, a list where something was: one is never the other. */
function keyOf({ version, owner, abilities, principal }: LinkFor): string {
  return JSON.stringify(principal === null ? version : [version, owner, abilities])
}

function tooMany(server: string, most: number): LinkError {
  const words = `This agent has ${most} connections to ${server} in use. End a conversation before the next.`
  return new LinkError("unreachable", words)
}

function linkFor(caller: Caller, era: Era | null): LinkFor {
  const version = caller.era === "legacy" ? caller.version : newestLegacy
  const principal = caller.principal.id
  // A modern server is told with each request what its client can do, and may list by that.
  if (era === "modern") return declaring(version, abilitiesForServer("modern", caller.abilities), principal)
  if (asked.some((ability) => Object.hasOwn(caller.abilities, ability))) {
    return { version, client: caller.client, abilities: legacyAbilities(caller), owner: caller.conversation, principal }
  }
  const experimental = caller.era === "modern" ? undefined : objectAt(caller.abilities, "experimental")
  return declaring(version, experimental === undefined ? none : { experimental }, principal)
}

/** A connection that is shared by all who declare the same. */
function declaring(version: string, abilities: JsonObject, principal: string): LinkFor {
  const declares = Object.keys(abilities).length > 0
  return { version, client: null, abilities, owner: null, principal: declares ? principal : null }
}

const none: JsonObject = {}

/** The abilities that a legacy server may be told; extensions are only in the modern era. */
function legacyAbilities(caller: Caller): JsonObject {
  if (caller.era === "legacy") return caller.abilities
  return Object.fromEntries(Object.entries(caller.abilities).filter(([key]) => key !== "extensions"))
}
