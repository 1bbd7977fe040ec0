/**
 * One request to a server in the words of its era, and what comes back meanwhile.
 *
 * I1. What a server says without saying of which request is told to a caller only where it can be nobody else's.
 * I2. What a server asks while it works on a request is judged as that caller's before anyone is asked.
 */
import type { JsonObject } from "@byleave/core"
import type { HoldContext } from "../hold/context.ts"
import type { Carried, Link } from "../upstream/link.ts"
import type { Caller } from "../wire/caller.ts"
import { envelopeKey, withEnvelope } from "../wire/envelope.ts"
import type { Exchange } from "../wire/exchange.ts"
import { objectAt, textAt } from "../wire/members.ts"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import type { Signal } from "../wire/signal.ts"
import { errorFor, legacyParams, modernAbilities } from "./era.ts"
import { askJudged } from "./inquiries.ts"
import { isLogLevel, isLoudEnough } from "./log-levels.ts"
import type { Place } from "./place.ts"

/** The server a request goes to, as far as carrying is concerned. */
export type Destination = {
  readonly server: string
  readonly place: Place
  readonly timeoutMs: number | undefined
}

export type Load = {
  readonly caller: Caller
  readonly ask: Ask
  readonly audience: Pick<Exchange, "notify" | "inquire">
  readonly signal: Signal
  /** Made only for a server that takes them. */
  readonly paramHeaders?: () => ReadonlyMap<string, string>
}

export async function carry(context: HoldContext, to: Destination, load: Load): Promise<Reply> {
  const { caller, ask } = load
  const done = to.place.use(caller.principal.id)
  try {
    const link = await to.place.link()
    const level = caller.era === "legacy" ? to.place.levels.of(caller.conversation) : await namedLevel(to, link, load)
    const reply = await link.request(carriedFor(context, to, link, load, level))
    if (reply.kind === "result") return reply
    return { kind: "error", error: errorFor(caller.era, ask.method, reply.error, link.era) }
  } finally {
    done()
  }
}

function carriedFor(
  context: HoldContext,
  { server, place, timeoutMs }: Destination,
  link: Link,
  load: Load,
  level: string | null,
): Carried {
  const { caller, audience, signal, paramHeaders } = load
  const carried: Carried = {
    ask: askFor(link, load, level),
    onNotice: (notice, guessed) => {
      if (guessed === true && !place.isOnly(caller.principal.id)) return
      if (isForCaller(notice, caller, level)) audience.notify(notice)
    },
    onInquiry: (asked) => askJudged(context, { server, who: caller, inquire: audience.inquire, signal }, asked),
    signal,
    ...(timeoutMs === undefined ? none : { timeoutMs }),
  }
  if (link.era === "legacy" || paramHeaders === undefined) return carried
  return { ...carried, paramHeaders: paramHeaders() }
}

const none = {}

function askFor(link: Link, load: Load, level: string | null): Ask {
  const { ask } = load
  const params = paramsFor(link, load, level)
  if (params === ask.params) return ask
  return params === undefined ? { method: ask.method } : { method: ask.method, params }
}

function paramsFor(link: Link, { caller, ask }: Load, level: string | null): JsonObject | undefined {
  if (link.era === "legacy") return legacyParams(ask.params)
  const { client } = caller
  return withEnvelope(ask.params, {
    version: link.version,
    abilities: modernAbilities(caller),
    client,
    logLevel: level,
  })
}

/** A modern client names its level with each request, a legacy one once; a legacy server is told when it must say more. */
async function namedLevel({ place }: Destination, link: Link, { caller, ask }: Load): Promise<string | null> {
  const level = textAt(objectAt(ask.params, "_meta"), envelopeKey.logLevel)
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
