/** GET: the stream of a legacy conversation that belongs to no request, and the resumption of any of its streams. */
import type { Message } from "../wire/message.ts"
import { sseKeepAlive } from "../wire/sse-frame.ts"
import { startsWithPriming } from "../wire/versions.ts"
import { writeMessage } from "../wire/write-message.ts"
import { type Conversation, liveOf } from "./conversation.ts"
import { type EventLog, framesAfter, logEvent, newEventLog, parseEventId, primingFrame } from "./event-log.ts"
import type { FrontRequest, FrontResponse } from "./front-message.ts"
import { eventStreamHeaders, refuse } from "./http-answer.ts"
import type { KeepAlive } from "./keep-alive.ts"
import { giveUpInquiries, inquire, type Talk } from "./legacy-talk.ts"

/** How long a stream waits for its client to come back before nobody listens any more. */
const lingerMs = 30_000

export type StreamTools = {
  readonly keepAlive: KeepAlive
  readonly newName: () => string
  readonly log: ((line: string) => void) | undefined
}

export async function openStream(
  conversation: Conversation,
  request: FrontRequest,
  response: FrontResponse,
  tools: StreamTools,
): Promise<void> {
  const live = liveOf(conversation)
  const lastId = request.headers["last-event-id"]
  const seen = typeof lastId === "string" ? parseEventId(lastId) : undefined
  const log = seen === undefined ? undefined : live.logs.get(seen.name)
  if (seen !== undefined && log !== undefined) return resume(conversation, log, seen.seen, response, tools)
  const standing = live.attendance
  if (standing === null) return begin(conversation, response, tools)
  if (standing.log.live !== null) {
    return refuse(
      response,
      409,
      "This conversation has a stream already. Close it first, or resume it by Last-Event-ID.",
    )
  }
  resume(conversation, standing.log, standing.log.last, response, tools)
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

function attach(conversation: Conversation, log: EventLog, response: FrontResponse, tools: StreamTools): void {
  response.writeHead(200, eventStreamHeaders)
  if (startsWithPriming(conversation.record.version)) response.write(primingFrame(log))
  else response.flushHeaders()
  log.live = response
  const beat = (): void => {
    response.write(sseKeepAlive)
  }
  tools.keepAlive.add(beat)
  response.on("close", () => {
    tools.keepAlive.remove(beat)
    if (log.live === response) log.live = null
    if (conversation.live?.attendance?.log === log) linger(conversation, log)
  })
}

function linger(conversation: Conversation, log: EventLog): void {
  setTimeout(() => {
    const standing = conversation.live?.attendance
    if (standing?.log === log && log.live === null) standing.stop()
  }, lingerMs).unref()
}

async function begin(conversation: Conversation, response: FrontResponse, tools: StreamTools): Promise<void> {
  const { backend, caller } = conversation
  const live = liveOf(conversation)
  const talk: Talk = { backend, live, log: tools.log }
  const log = newEventLog(tools.newName())
  const say = (message: Message): void => logEvent(log, writeMessage(message))
  let stopped = false
  let leave = (): void => {}
  const stop = (): void => {
    stopped = true
    if (live.attendance?.log === log) live.attendance = null
    live.logs.delete(log.name)
    giveUpInquiries(talk, log)
    log.live?.end()
    leave()
  }
  live.attendance = { log, stop }
  live.logs.set(log.name, log)
  attach(conversation, log, response, tools)
  try {
    leave = await backend.attend(caller, {
      notify: (notice) => say({ jsonrpc: "2.0", ...notice }),
      inquire: (ask) => inquire(talk, log, ask, say),
    })
    if (stopped) leave()
  } catch {
    tools.log?.("A conversation's stream could not be opened behind.")
    stop()
  }
}
