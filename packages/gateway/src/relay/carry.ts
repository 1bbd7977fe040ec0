/**
 * One request to a server, and what comes back meanwhile.
 *
 * I1. What a server says without saying of which request is told to a caller only where it can be nobody else's.
 * I2. What a server asks while it works on a request is judged as that caller's before anyone is asked.
 */
import type { ToolDefinition } from "@byleave/core"
import type { Carried, Link } from "../upstream/link.ts"
import type { Asker } from "../upstream/speak-era.ts"
import type { Caller } from "../wire/caller.ts"
import type { Exchange } from "../wire/exchange.ts"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import type { Signal } from "../wire/signal.ts"
import { askJudged } from "./inquiries.ts"
import { isLogLevel, isLoudEnough } from "./log-levels.ts"
import { type Route, speakerOf } from "./route.ts"

export type Load = {
  readonly ask: Ask
  readonly audience: Pick<Exchange, "notify" | "inquire">
  readonly signal: Signal
  /** A person approved it: it is sent at most once. */
  readonly once?: boolean
  /** Made only for a server that takes them. */
  readonly paramHeaders?: () => ReadonlyMap<string, string>
  /** The tool that is called, as it was judged. */
  readonly tool?: ToolDefinition
}

export async function carry(route: Route, load: Load): Promise<Reply> {
  const { caller, place } = route
  const done = place.use(caller.principal.id)
  try {
    const found = load.tool === undefined ? place.link() : place.linkListing(load.tool, load.once === true)
    const link = found instanceof Promise ? await found : found
    const level = caller.era === "legacy" ? place.levels.of(caller.conversation) : await namedLevel(route, link)
    return await link.request(carriedFor(route, link, load, level))
  } finally {
    done()
  }
}

function carriedFor(route: Route, link: Link, load: Load, level: string | null): Carried {
  const { relay, caller, place } = route
  const { ask, audience, signal, once, paramHeaders } = load
  const { id: server, timeoutMs } = relay.server
  const carried: Carried = {
    ask,
    // A legacy client sets its level once; a modern server is told it with each request.
    asker: askerOf(caller, level),
    principal: caller.principal.id,
    onNotice: (notice, guessed) => {
      if (guessed === true && !place.isOnly(caller.principal.id)) return
      const told = isForCaller(notice, caller, level) ? relay.names.toClient(speakerOf(route), notice) : null
      if (told !== null) audience.notify(told)
    },
    onInquiry: (asked) => {
      const inquire = relay.names.asking(speakerOf(route), audience.inquire)
      return askJudged(relay.context, { server, who: caller, inquire, signal }, asked)
    },
    signal,
    ...(once === true ? { once } : none),
    ...(timeoutMs === undefined ? none : { timeoutMs }),
  }
  if (link.era === "legacy" || paramHeaders === undefined) return carried
  return { ...carried, paramHeaders: paramHeaders() }
}

const none = {}

function askerOf(caller: Caller, level: string | null): Asker {
  if (level === (caller.logLevel ?? null)) return caller
  const { era, client, abilities } = caller
  return { era, client, abilities, ...(level === null ? {} : { logLevel: level }) }
}

/** A modern client names its level with each request, a legacy one once; a legacy server is told when it must say more. */
async function namedLevel({ caller, place }: Route, link: Link): Promise<string | null> {
  const level = caller.logLevel
  if (!isLogLevel(level)) return null
  if (link.era === "legacy" && place.levels.of(caller.conversation) !== level) {
    place.levels.set(caller.conversation, level)
    await place.sync().catch(() => {})
  }
  return level
}

/** A modern client hears log lines only when it named a level. */
function isForCaller(notice: Notice, caller: Caller, level: string | null): boolean {
  if (notice.method !== "notifications/message") return true
  return caller.era === "modern" && level === null ? false : isLoudEnough(notice, level)
}
