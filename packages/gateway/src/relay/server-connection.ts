/**
 * One way to reach one server: the connection that callers declaring the same share, what it lists, and who listens to it. A connection that
 * ends is opened again when it is next needed; those who listen stay.
 *
 * I1. What a person approved goes to a server that lists the tool as it was judged: its list is read for it, unless nothing could reach another server than the one
 *     that listed it before.
 * I2. A list is not used any more once another server may answer: its connection has ended, something says so, or, where nothing would, it is too old.
 * I3. A list is read as a client that declares what all of them declare who use it.
 */
import { type JsonObject, shownName, type ToolDefinition } from "@byleave/core"
import { type Link, LinkError, type LinkFor, type Upstream } from "../upstream/link.ts"
import type { StandingClient } from "../upstream/question-routes.ts"
import type { Caller } from "../wire/caller.ts"
import type { NoticeListener } from "../wire/exchange.ts"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import { createNoticeListeners, type MayBeNotified, type NoticeListeners } from "./listening/notice-listeners.ts"
import { tellAnew, tellLevel, tellResources } from "./listening/sync-subscriptions.ts"
import type { OnBehalf } from "./own-request.ts"
import { createListChanges, type ListChanges } from "./several/list-changes.ts"
import { declaresChanges, serverInfoOf } from "./talk/hello.ts"
import { createLogLevels, type LogLevels } from "./talk/log-levels.ts"
import { readTools, type ToolListLimits } from "./tools/read-tools.ts"
import type { ServerTools } from "./tools/server-tools.ts"
import { createToolList, isSameDefinition, type ToolList, type ToolMap } from "./tools/tool-list.ts"

export type ServerConnection = {
  readonly key: string
  readonly owner: string | null
  readonly link: () => Promise<Link>
  /**
   * A link over which the server lists this tool in these very words; throws where it lists another or none. `anew`: the list is read for it, unless no
   * other server than the one it was read from could be reached. For a call that has its turn at the server: it waits for no other's.
   */
  readonly linkListing: (tool: ToolDefinition, anew: boolean) => Link | Promise<Link>
  /** Whether this link is the one that is open, and nothing says that its server lists the tool otherwise by now. */
  readonly isListing: (tool: ToolDefinition, over: Link) => boolean
  /** Whether it is connected now. */
  readonly isOpen: () => boolean
  /** The server's name and version, once it is connected. */
  readonly serverInfo: () => JsonObject | undefined
  readonly tools: ToolList
  readonly listChanges: ListChanges
  readonly levels: LogLevels
  readonly listeners: NoticeListeners
  readonly attend: (caller: Caller, listener: NoticeListener) => Promise<() => void>
  /** Somebody of this principal began or ceased to listen to these resources. */
  readonly tell: (uris: Iterable<string>, principal: string) => Promise<void>
  readonly tellLevel: () => Promise<void>
  /** The policy may have changed: subscriptions that it no longer allows are ended. */
  readonly recheck: () => Promise<void>
  /** Counts as used until told otherwise. */
  readonly use: (principal: string) => () => void
  /** Whether what the server says without an address can only be about this principal's requests. */
  readonly isOnly: (principal: string) => boolean
  readonly idleSince: () => number | null
  readonly release: () => void
}

export type ServerConnectionPorts = {
  readonly upstream: Upstream
  readonly wanted: LinkFor
  readonly key: string
  /** Told before a connection is opened; throws where there may be none. */
  readonly opening: () => void
  /** Whose share of the server it takes to be listed and told; undefined: several use it, and it is the gateway's own. */
  readonly payer: () => string | undefined
  readonly serverTools: ServerTools
  /** Principals whose requests went over connections that nobody owns. */
  readonly sharers: Set<string>
  readonly limits: ToolListLimits
  /** The server wants a new connection each time it is used. */
  readonly refresh: boolean
  readonly now: () => number
  readonly log: (line: string) => void
  readonly mayHear: MayBeNotified
  /** A server's notification as this client may receive it; null: it is not for this client. */
  readonly named: (caller: Caller, owner: string | null, notice: Notice) => Notice | null
  /** Judges a server's question outside any request, before anyone is asked. */
  readonly judged: (ask: Ask, listeners: NoticeListeners) => Promise<Reply>
  /** Whom it asks outside any request what has been judged; null: nobody. */
  readonly standing: (listeners: NoticeListeners) => StandingClient | null
}

const toolsChanged = "notifications/tools/list_changed"
/** Subscriptions that a policy ends are ended in a turn of their own, of no principal. */
const nobody = ""
/** How often a connection that ends while its list is read is opened anew for one call. */
const mostTries = 3

/** Nothing was sent: the server does not list the tool as it was judged. */
export function notAsJudged(tool: string): LinkError {
  const words = `The server restarted or changed since this call was evaluated and no longer offers ${shownName(tool)} as before. Nothing was sent. Call it again to have it evaluated as it is now.`
  return new LinkError("changed", words)
}

/** The call itself was not sent, whatever became of the question for the list. */
function unlisted(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause)
  throw new LinkError("unreachable", `It was asked for its tools before the call, and did not list them. ${why}`, {
    cause,
  })
}

export function createServerConnection(ports: ServerConnectionPorts): ServerConnection {
  const { upstream, wanted, key, serverTools, limits, refresh, now, log, judged } = ports
  const levels = createLogLevels()
  const users = wanted.owner === null ? ports.sharers : new Set<string>()
  // Kept when the connection ends: those who listen were told by it what they would hear of.
  let lastOpened: Link | null = null
  const tellsOf = (list: string): boolean => lastOpened !== null && declaresChanges(lastOpened, list)
  const listeners = createNoticeListeners(
    levels,
    users,
    ports.mayHear,
    tellsOf,
    (caller, notice) => ports.named(caller, wanted.owner, notice),
    (words) => log(`${upstream.id}: ${words}`),
  )
  const { subscriptions } = listeners
  const { abilities } = wanted
  const onBehalf = (): OnBehalf => {
    const principal = ports.payer()
    return principal === undefined ? { abilities } : { abilities, principal }
  }
  const listening = {
    wants: listeners.wants,
    subscriptions,
    level: levels.lowest,
    onBehalf,
  }
  let opening: Promise<Link> | null = null
  let opened: Link | null = null
  let used = 0
  let lastUse = now()
  let releases = 0

  const listOwner =
    wanted.principal === null ? null : { principal: wanted.principal, forget: (): void => tools.forget() }
  const tools = createToolList({
    read: async (inTurn) => readTools(await link(), limits, now, inTurn ? { abilities, inTurn } : onBehalf()),
    see: (listed) => serverTools.see(key, listed, listOwner),
    limits,
    goodMs: () => (lastOpened?.continuity() === "unseen" ? limits.goodMs : Number.POSITIVE_INFINITY),
    now,
  })
  const listChanges = createListChanges({
    offered: async () => serverTools.offered(await tools.tools()),
    isHeard: () => listeners.size() > 0,
    tell: () => listeners.hear({ method: toolsChanged }),
    now,
  })
  const ended = (gone: Link): void => {
    if (opened !== gone) return
    opened = null
    opening = null
    tools.changed()
  }
  const open = async (): Promise<Link> => {
    ports.opening()
    const before = releases
    const fresh = await upstream.link(wanted)
    if (before !== releases) {
      fresh.release()
      throw new LinkError("unreachable", "The conversation was over before its connection was open.")
    }
    opened = fresh
    lastOpened = fresh
    fresh.listen({
      onNotice: (notice) => {
        if (notice.method !== toolsChanged) return listeners.hear(notice)
        tools.changed()
        listChanges.announced()
      },
      onInquiry: (ask) => judged(ask, listeners),
      standing: () => ports.standing(listeners),
      onDoubt: tools.changed,
      onEnd: () => ended(fresh),
    })
    // The caller does not wait until the subscriptions of others are restored.
    tellEverything(fresh).catch((error: unknown) => log(`${upstream.id}: ${String(error)}`))
    return fresh
  }
  const tellEverything = async (fresh: Link): Promise<void> => {
    const level = tellLevel(fresh, listening)
    const refused = await listeners.endRefused()
    const left = tellResources(fresh, listening, refused, nobody)
    await Promise.all([level, left, tellAnew(fresh, listening, subscriptions.held())])
  }
  const link = (): Promise<Link> => {
    lastUse = now()
    if (opening !== null) return opening
    const pending = open()
    opening = pending
    pending.catch(() => {
      if (opening === pending) opening = null
    })
    return pending
  }
  const letGo = (): void => {
    opened?.release()
    opened = null
    opening = null
    // The next connection's list is not known yet.
    tools.changed()
  }
  const listedOver = async (over: Link, anew: boolean): Promise<ToolMap> =>
    (anew && over.continuity() !== "bound" ? null : tools.known()) ?? tools.anew()
  // Most calls find all of it known, and need not wait. A list that is known was read over the connection that is open.
  const linkListing = (tool: ToolDefinition, anew: boolean): Link | Promise<Link> => {
    const listed = anew ? undefined : tools.known()?.get(tool.name)
    if (opened === null || listed === undefined || !isSameDefinition(listed, tool)) return searchListing(tool, anew)
    lastUse = now()
    return opened
  }
  const searchListing = async (tool: ToolDefinition, anew: boolean): Promise<Link> => {
    for (let tries = 1; tries <= mostTries; tries++) {
      const over = await link()
      const all = await listedOver(over, anew).catch((error: unknown) =>
        opened === over || tries === mostTries ? unlisted(error) : null,
      )
      // The list is forgotten with its connection, so one that is known is that of the connection that is open.
      if (opened !== over || all === null) continue
      const listed = all.get(tool.name)
      if (listed !== undefined && isSameDefinition(listed, tool)) return over
      break
    }
    throw notAsJudged(tool.name)
  }
  const tell = async (uris: Iterable<string>, principal: string): Promise<void> =>
    tellResources(await link(), listening, uris, principal)
  return {
    key,
    owner: wanted.owner,
    link,
    linkListing,
    isListing: (tool, over) => {
      const listed = tools.known()
      if (opened !== over || listed === null) return opened === over && over.continuity() !== "bound"
      const now = listed.get(tool.name)
      return now !== undefined && isSameDefinition(now, tool)
    },
    isOpen: () => opened !== null,
    serverInfo: () => (opened === null ? undefined : serverInfoOf(opened)),
    tools,
    listChanges,
    levels,
    listeners,
    tell,
    tellLevel: async () => tellLevel(await link(), listening),
    attend: async (caller, listener) => {
      const uris = listener.wants?.resources ?? []
      const principal = caller.principal.id
      const stop = listeners.add(caller, listener)
      await tell(uris, principal).catch((error: unknown) =>
        log(`${upstream.id} cannot be listened to: ${String(error)}`),
      )
      return () => {
        stop()
        if (opened !== null) tellResources(opened, listening, uris, principal).catch(() => {})
      }
    },
    recheck: async () => {
      const refused = await listeners.endRefused()
      if (refused.length > 0 && opened !== null) await tellResources(opened, listening, refused, nobody)
    },
    isOnly: (principal) => users.size === 1 && users.has(principal),
    use: (principal) => {
      users.add(principal)
      used += 1
      return () => {
        used -= 1
        lastUse = now()
        if (refresh && used === 0 && listeners.size() === 0 && opened !== null) letGo()
      }
    },
    idleSince: () => {
      const isOpening = opening !== null && opened === null
      return used > 0 || isOpening || listeners.size() > 0 ? null : lastUse
    },
    release: () => {
      releases += 1
      serverTools.forget(key)
      letGo()
    },
  }
}
