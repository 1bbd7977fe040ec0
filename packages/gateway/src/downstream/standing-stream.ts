/**
 * GET: the streams of a legacy conversation that belong to no request, and the resumption of any of its streams. The protocol lets a client
 * hold several at once and has each message sent on one of them: the newest that is connected.
 */
import type { NoticeListener } from "../wire/exchange.ts"
import type { Message } from "../wire/message.ts"
import { unanswered } from "../wire/not-asked.ts"
import { startsWithPriming } from "../wire/versions.ts"
import { writeMessage } from "../wire/write-message.ts"
import type { FrontRequest, FrontResponse } from "./front-message.ts"
import { eventStreamHeaders } from "./http-answer.ts"
import type { KeepAlive } from "./keep-alive.ts"
import { type Conversation, type LiveConversation, liveOf, type OpenStreams } from "./legacy/conversation.ts"
import { type EventLog, framesAfter, logEvent, newEventLog, parseEventId, primingFrame } from "./legacy/event-log.ts"
import { giveUpInquiries, inquire, type LegacyMessageContext } from "./legacy/legacy-messages.ts"
import type { UnreadReplies } from "./unread-replies.ts"

/** How long a stream waits for its client to come back before nobody listens any more. */
const lingerMs = 30_000
/** Of one conversation. Each further one takes the place of the oldest, which its client most likely lost. */
const mostStreams = 4

export type StreamTools = {
  readonly keepAlive: KeepAlive
  readonly newName: () => string
  readonly unread: UnreadReplies
  readonly log: ((line: string) => void) | undefined
}

export async function openStream(
  conversation: Conversation,
  request: FrontRequest,
  response: FrontResponse,
  tools: StreamTools,
): Promise<void> {
  // Its client may have gone while its conversation was looked up; nobody would be told of that any more.
  if (response.destroyed) return
  const live = liveOf(conversation)
  const lastId = request.headers["last-event-id"]
  const seen = typeof lastId === "string" ? parseEventId(lastId) : undefined
  const log = seen === undefined ? undefined : live.logs.get(seen.name)
  if (seen !== undefined && log !== undefined) return resume(conversation, log, seen.seen, response, tools)
  if (live.streams === null) return begin(conversation, response, tools)
  join(conversation, live.streams, response, tools)
}

function resume(
  conversation: Conversation,
  log: EventLog,
  seen: number,
  response: FrontResponse,
  tools: StreamTools,
): void {
  const earlier = log.live
  attach(conversation, log, response, tools)
  // A client that comes back knows better than we do that its earlier connection is dead.
  earlier?.destroy()
  response.write(framesAfter(log, seen))
  if (log.endedAt === null) return
  response.on("close", () => {
    if (response.writableFinished) conversation.live?.logs.delete(log.name)
  })
  response.end()
}

/** One more stream beside those that stand. */
function join(conversation: Conversation, streams: OpenStreams, response: FrontResponse, tools: StreamTools): void {
  const { principal } = conversation.record
  const log = newEventLog(tools.newName(), (live) => tools.unread.fits(principal, live, 0))
  streams.logs.push(log)
  liveOf(conversation).logs.set(log.name, log)
  attach(conversation, log, response, tools)
  const [oldest] = streams.logs
  if (streams.logs.length > mostStreams && oldest !== undefined) streams.drop(oldest)
}

function attach(conversation: Conversation, log: EventLog, response: FrontResponse, tools: StreamTools): void {
  response.writeHead(200, eventStreamHeaders)
  if (startsWithPriming(conversation.record.version)) response.write(primingFrame(log))
  else response.flushHeaders()
  log.live = response
  tools.keepAlive.add(response)
  response.on("close", () => {
    tools.keepAlive.remove(response)
    if (log.live === response) log.live = null
    if (conversation.live?.streams?.logs.includes(log)) linger(conversation, log)
  })
}

function linger(conversation: Conversation, log: EventLog): void {
  setTimeout(() => {
    const streams = conversation.live?.streams
    if (streams?.logs.includes(log) && log.live === null) streams.drop(log)
  }, lingerMs).unref()
}

async function begin(conversation: Conversation, response: FrontResponse, tools: StreamTools): Promise<void> {
  const { backend, caller } = conversation
  const live = liveOf(conversation)
  const talk: LegacyMessageContext = { backend, live, log: tools.log }
  let leave = (): void => {}
  const streams = standingStreams(talk, live, () => {
    if (live.streams === streams) live.streams = null
    leave()
  })
  live.streams = streams
  join(conversation, streams, response, tools)
  try {
    const left = await backend.attend(caller, listenerOf(talk, streams))
    if (streams.logs.length === 0) left()
    else leave = left
  } catch {
    tools.log?.("A conversation's stream could not be opened behind.")
    streams.stop()
  }
}

function standingStreams(talk: LegacyMessageContext, live: LiveConversation, onEnd: () => void): OpenStreams {
  const logs: EventLog[] = []
  const drop = (log: EventLog): void => {
    logs.splice(logs.indexOf(log), 1)
    live.logs.delete(log.name)
    giveUpInquiries(talk, log)
    log.live?.end()
    if (logs.length > 0) return
    onEnd()
    // Nobody says any more when a question that may be about no request is over.
    giveUpInquiries(talk, live)
  }
  return {
    logs,
    drop,
    stop: () => {
      for (const log of [...logs]) drop(log)
    },
  }
}

function listenerOf(talk: LegacyMessageContext, { logs }: OpenStreams): NoticeListener {
  /** The newest that is connected; else the newest, whose client may come back for it. */
  const heardOn = (): EventLog | undefined => logs.findLast((log) => log.live !== null) ?? logs.at(-1)
  const say = (log: EventLog, message: Message): void => logEvent(log, writeMessage(message), false)
  return {
    notify: (notice) => {
      const log = heardOn()
      if (log !== undefined) say(log, { jsonrpc: "2.0", ...notice })
    },
    inquire: async (ask) => {
      const log = heardOn()
      return log === undefined ? unanswered : inquire(talk, log, ask, (message) => say(log, message))
    },
    isOpen: () => logs.some((log) => log.live !== null),
  }
}
