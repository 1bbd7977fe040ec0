/**
 * One request to a server, and what comes back meanwhile.
 *
 * I1. What a server says without saying of which request is told to a caller only where it can be nobody else's.
 * I2. What a server asks while it works on a request is judged as that caller's before anyone is asked.
 * I3. Nothing that can be made to take long lies between the last look at a call, its tool and what policy says of it, and its sending: a call has told the log level and has its
 *     turn at the server before, and is looked at once more when its first byte leaves.
 * I4. What goes to another session, since the server has forgotten the one it was looked at in, is looked at there.
 * I5. Nothing is sent for a caller that is gone for good, however long it waited for its turn or its server.
 * I6. What a server said before its reply is told before it, however long that is looked at.
 */
import type { ToolDefinition } from "@byleave/core"
import type { Asker } from "../upstream/era/speak-era.ts"
import { isOutdated, type Link, LinkError, type LinkRequest, unsent } from "../upstream/link.ts"
import type { Askable } from "../upstream/question-routes.ts"
import { type Caller, shareOf } from "../wire/caller.ts"
import type { Audience, Exchange } from "../wire/exchange.ts"
import type { Ask, Notice, Reply } from "../wire/message.ts"
import { resourceNotices } from "../wire/methods/resource-notices.ts"
import { toldNotice } from "../wire/methods/told-notice.ts"
import type { WaitingNotices } from "../wire/methods/waiting-notices.ts"
import { type Signal, whenAborted } from "../wire/signal.ts"
import { type RequestRoute, speakerOf } from "./route.ts"
import { isCurrent, judgeAgain, type SentJudgement } from "./still-allowed.ts"
import { askJudged } from "./talk/inquiries.ts"
import { isLogLevel, isLoudEnough } from "./talk/log-levels.ts"
import { tellingUnlessRefused } from "./talk/unless-refused.ts"
import type { OtherStructure } from "./tools/offered-result.ts"

export type Load = {
  readonly ask: Ask
  readonly audience: Audience
  /** It is the gateway's own: no question of its server can be about it. */
  readonly asksNobody?: boolean
  readonly signal: Signal
  /** It is sent at most once. */
  readonly once?: boolean
  /** Made only for a server that takes them. */
  readonly paramHeaders?: (() => ReadonlyMap<string, string>) | undefined
  /** The tool that is called, as it was judged. */
  readonly tool?: ToolDefinition | undefined
  /** As of its request's shape: tasks of it are named so. */
  readonly other?: OtherStructure | undefined
  /** The call that is carried out by it, where the gate has a word in it. */
  readonly judged?: SentJudgement
  /** As of its exchange. */
  readonly isGone?: Exchange["isGone"] | undefined
}

/** How often a call is looked at again because something changed while it was. */
const mostLooks = 10

export async function carry(route: RequestRoute, load: Load): Promise<Reply> {
  const { relay, caller, connection } = route
  const principal = shareOf(caller)
  const done = connection.use(principal)
  const said: Said = { telling: null }
  try {
    const named = levelOf(route)
    const level = named instanceof Promise ? await named : named
    const { ask, signal } = load
    const { timeoutMs } = relay.server
    const sending = (): Promise<Reply> => sendNow(route, load, level, said)
    const reply = await relay.upstream.inTurn({ ask, principal, signal, timeoutMs }, sending)
    const telling = said.telling?.over() ?? null
    if (telling !== null) await telling
    return reply
  } finally {
    done()
  }
}

/** What the server says of a request meanwhile; few say anything. */
type Said = { telling: WaitingNotices | null }

/** Most calls find all of it as it was, and need not wait. */
function sendNow(route: RequestRoute, load: Load, level: string | null, said: Said): Promise<Reply> {
  const found = linkFor(route, load)
  const anew = (): Promise<Reply> => lookAndSend(route, load, level, said, linkFor(route, load), null)
  if (found instanceof Promise || !isStillJudged(route, load)) return lookAndSend(route, load, level, said, found, anew)
  if (load.isGone?.() === true) return Promise.reject(unsent())
  return found.requestInTurn(carriedFor(route, found, load, level, said), anew)
}

/** Looks for a connection over which it may be sent, and at what policy says by now, until both hold. */
async function lookAndSend(
  route: RequestRoute,
  given: Load,
  level: string | null,
  said: Said,
  found: Link | Promise<Link>,
  sendAnew: (() => Promise<Reply>) | null,
): Promise<Reply> {
  let load = given
  let link = await found
  for (let looks = 0; looks < mostLooks; looks += 1) {
    if (load.isGone?.() === true) throw unsent()
    if (load.judged === undefined || isCurrent(route.relay.context, load.judged)) {
      const reply = await unlessOutdated(link.requestInTurn(carriedFor(route, link, load, level, said), sendAnew))
      if (reply !== null) return reply
    } else load = { ...load, judged: await judgedAnew(route, load.judged, load.signal) }
    link = await linkFor(route, load)
  }
  throw new LinkError("changed", "What agents may do kept changing while this call was sent. Nothing was sent.")
}

async function judgedAnew({ relay }: RequestRoute, judged: SentJudgement, signal: Signal): Promise<SentJudgement> {
  const withdrawn = whenAborted(signal)
  try {
    return await judgeAgain(relay.context, judged, withdrawn.given)
  } finally {
    withdrawn.end()
  }
}

async function unlessOutdated(replied: Promise<Reply>): Promise<Reply | null> {
  try {
    return await replied
  } catch (error) {
    if (isOutdated(error)) return null
    throw error
  }
}

function linkFor({ connection }: RequestRoute, { tool, once = false }: Load): Link | Promise<Link> {
  return tool === undefined ? connection.link() : connection.linkListing(tool, once)
}

function isStillJudged({ relay }: RequestRoute, { judged }: Load): boolean {
  return judged === undefined || isCurrent(relay.context, judged)
}

function mayLeave(route: RequestRoute, link: Link, load: Load): boolean {
  const { tool } = load
  const isListed = tool === undefined || route.connection.isListing(tool, link)
  return isListed && load.isGone?.() !== true && isStillJudged(route, load)
}

function carriedFor(route: RequestRoute, link: Link, load: Load, level: string | null, said: Said): LinkRequest {
  const { relay, caller, connection } = route
  const { ask, audience, signal, once, paramHeaders } = load
  const { timeoutMs } = relay.server
  const carried: LinkRequest = {
    ask,
    // A legacy client sets its level once; a modern server is told it with each request.
    asker: askerOf(caller, level),
    principal: shareOf(caller),
    onNotice: (notice, guessed) => {
      if (guessed === true && !connection.isOnly(shareOf(caller))) return
      // On a request's stream or outside of one, it is for those who subscribed to the resource and may know of it.
      if (resourceNotices.has(notice.method)) return connection.listeners.hear(notice)
      const known = isForCaller(notice, caller, level) ? toldNotice(notice, caller.version) : null
      const told = known === null ? null : relay.names.toClient(speakerOf(route), known)
      if (told === null) return
      said.telling ??= tellingUnlessRefused(relay, caller, audience.notify)
      said.telling.add(told)
    },
    askable: () => askableOf(route, load),
    signal,
    once,
    mayLeave: () => mayLeave(route, link, load),
    timeoutMs,
  }
  if (link.era === "legacy" || paramHeaders === undefined) return carried
  return { ...carried, paramHeaders: paramHeaders() }
}

function askableOf(route: RequestRoute, { audience, asksNobody }: Load): Askable | null {
  if (asksNobody === true) return null
  const { relay, caller } = route
  return {
    session: caller.session,
    inquire: (ask, until) => relay.names.asking(speakerOf(route), (question) => audience.inquire(question, until))(ask),
    isThere: audience.isThere,
    judge: (ask, { inquire, over }) =>
      askJudged(relay.context, { server: relay.server.id, who: caller, inquire, signal: over }, ask),
  }
}

function askerOf(caller: Caller, level: string | null): Asker {
  if (level === (caller.logLevel ?? null)) return caller
  const { era, client, abilities } = caller
  return { era, client, abilities, ...(level === null ? {} : { logLevel: level }) }
}

/** A modern client names its level with each request, a legacy one once; a legacy server is told when it must say more. */
function levelOf(route: RequestRoute): string | null | Promise<string> {
  const { caller, connection } = route
  if (caller.era === "legacy") return connection.levels.of(caller.conversation)
  return isLogLevel(caller.logLevel) ? namedLevel(route, caller.logLevel) : null
}

async function namedLevel({ caller, connection }: RequestRoute, level: string): Promise<string> {
  const link = await connection.link()
  if (link.era === "legacy" && connection.levels.of(caller.conversation) !== level) {
    connection.levels.set(caller.conversation, level)
    await connection.tellLevel().catch(() => {})
  }
  return level
}

/** A modern client hears log lines only when it named a level. */
function isForCaller(notice: Notice, caller: Caller, level: string | null): boolean {
  if (notice.method !== "notifications/message") return true
  return caller.era === "modern" && level === null ? false : isLoudEnough(notice, level)
}
