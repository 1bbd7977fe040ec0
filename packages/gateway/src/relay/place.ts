/**
 * One way to reach one server: the connection that callers declaring the same share, what it lists, and who listens to it. A connection that
 * ends is opened again when it is next needed; those who listen stay.
 */
import type { JsonObject, ToolDefinition } from "@byleave/core"
import type { Link, LinkFor, Upstream } from "../upstream/link.ts"
import type { Caller } from "../wire/caller.ts"
import type { Attendance } from "../wire/exchange.ts"
import { objectAt } from "../wire/members.ts"
import type { Ask, Reply } from "../wire/message.ts"
import { type Attendants, createAttendants, type MayHear } from "./attendants.ts"
import { createLogLevels, type LogLevels } from "./log-levels.ts"
import { ownRequest } from "./own-request.ts"
import type { ServerTools } from "./server-tools.ts"
import { createToolList, type ToolList, toolsOf } from "./tool-list.ts"

export type Place = {
  readonly key: string
  readonly owner: string | null
  readonly link: () => Promise<Link>
  readonly tools: ToolList
  readonly levels: LogLevels
  readonly attendants: Attendants
  readonly attend: (caller: Caller, attendance: Attendance) => Promise<() => void>
  /** Tells the server again what is wanted of it: subscriptions and levels. */
  readonly sync: () => Promise<void>
  /** Counts as used until told otherwise. */
  readonly use: (principal: string) => () => void
  /** Whether what the server says without an address can only be about this principal's requests. */
  readonly isOnly: (principal: string) => boolean
  readonly idleSince: () => number | null
  readonly release: () => void
}

export type PlacePorts = {
  readonly upstream: Upstream
  readonly wanted: LinkFor
  readonly key: string
  readonly serverTools: ServerTools
  /** Principals whose requests went over connections that nobody owns. */
  readonly sharers: Set<string>
  /** The server wants a new connection each time it is used. */
  readonly refresh: boolean
  readonly now: () => number
  readonly log: (line: string) => void
  readonly mayHear: MayHear
  /** What a server asks outside any request, judged before anyone is asked. */
  readonly judged: (ask: Ask, attendants: Attendants) => Promise<Reply>
}

export function createPlace(ports: PlacePorts): Place {
  const { upstream, wanted, key, serverTools, refresh, now, log, judged } = ports
  const levels = createLogLevels()
  const users = wanted.owner === null ? ports.sharers : new Set<string>()
  const attendants = createAttendants(levels, users, ports.mayHear)
  let opening: Promise<Link> | null = null
  let opened: Link | null = null
  let used = 0
  let lastUse = now()

  const tools = createToolList({
    read: async () => readTools(await link()),
    see: (listed) => serverTools.see(key, listed),
    now,
  })
  const ended = (gone: Link): void => {
    if (opened !== gone) return
    opened = null
    opening = null
    tools.changed()
  }
  const open = async (): Promise<Link> => {
    const fresh = await upstream.link(wanted)
    opened = fresh
    fresh.listen({
      onNotice: (notice) => {
        if (notice.method === "notifications/tools/list_changed") tools.changed()
        attendants.hear(notice)
      },
      onInquiry: (ask) => judged(ask, attendants),
      onEnd: () => ended(fresh),
    })
    await tellWants(fresh, attendants, levels).catch((error: unknown) => log(`${upstream.id}: ${String(error)}`))
    return fresh
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
  }
  const sync = async (): Promise<void> => tellWants(await link(), attendants, levels)
  return {
    key,
    owner: wanted.owner,
    link,
    tools,
    levels,
    attendants,
    sync,
    attend: async (caller, attendance) => {
      const stop = attendants.add(caller, attendance)
      for (const uri of attendance.wants?.resources ?? []) attendants.subscribe(uri, caller.conversation)
      await sync().catch((error: unknown) => log(`${upstream.id} cannot be listened to: ${String(error)}`))
      return () => {
        stop()
        for (const uri of attendance.wants?.resources ?? []) attendants.unsubscribe(uri, caller.conversation)
        if (opened !== null) tellWants(opened, attendants, levels).catch(() => {})
      }
    },
    isOnly: (principal) => users.size === 1 && users.has(principal),
    use: (principal) => {
      users.add(principal)
      used += 1
      return () => {
        used -= 1
        lastUse = now()
        if (refresh && used === 0 && attendants.size() === 0) letGo()
      }
    },
    idleSince: () => (used > 0 || attendants.size() > 0 ? null : lastUse),
    release: () => {
      serverTools.forget(key)
      letGo()
    },
  }
}

const mostPages = 100

/** Every page; a server that never ends its list is cut off, and what lies beyond is unknown. */
async function readTools(link: Link): Promise<readonly ToolDefinition[]> {
  if (objectAt(objectAt(link.hello, "capabilities"), "tools") === undefined) return []
  const tools: ToolDefinition[] = []
  let cursor: JsonObject = {}
  for (let page = 0; page < mostPages; page += 1) {
    const reply = await ownRequest(link, { method: "tools/list", params: cursor })
    if (reply.kind === "error") throw new Error(`It does not list its tools: ${reply.error.message}`)
    tools.push(...toolsOf(reply.result))
    const { nextCursor } = reply.result
    if (typeof nextCursor !== "string") break
    cursor = { cursor: nextCursor }
  }
  return tools
}

const told = new WeakMap<Link, { readonly resources: Set<string>; level: string | null }>()

async function tellWants(link: Link, attendants: Attendants, levels: LogLevels): Promise<void> {
  const wants = attendants.wants()
  if (link.era === "modern") {
    link.want(wants)
    return
  }
  const known = told.get(link) ?? { resources: new Set<string>(), level: null }
  told.set(link, known)
  for (const uri of wants.resources) {
    if (known.resources.has(uri)) continue
    known.resources.add(uri)
    await ownRequest(link, { method: "resources/subscribe", params: { uri } })
  }
  for (const uri of [...known.resources]) {
    if (wants.resources.has(uri)) continue
    known.resources.delete(uri)
    await ownRequest(link, { method: "resources/unsubscribe", params: { uri } })
  }
  const level = levels.lowest()
  if (level === null || level === known.level) return
  known.level = level
  await ownRequest(link, { method: "logging/setLevel", params: { level } })
}
