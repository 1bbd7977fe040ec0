/** A legacy conversation over HTTP: POST says, GET listens, DELETE ends. */
import type { Identity } from "../../gateway.ts"
import type { Caller } from "../../wire/caller.ts"
import { errorCode, errorMessage, replyMessage, rpcError } from "../../wire/errors.ts"
import type { Backend, Exchange } from "../../wire/exchange.ts"
import { checkLegacyVersion } from "../../wire/headers/check-headers.ts"
import type { Ask, Message, RequestId, RequestMessage } from "../../wire/message.ts"
import { isNotification, isRequest } from "../../wire/read-message.ts"
import { hasBatches, startsWithPriming } from "../../wire/versions.ts"
import { writeMessage } from "../../wire/write-message.ts"
import { accepts } from "../check-request.ts"
import type { ComingMessage, FrontRequest, FrontResponse } from "../front-message.ts"
import { accepted, refuse, sendJson } from "../http-answer.ts"
import type { Withdrawal } from "../make-exchange.ts"
import { nameSession } from "../name-session.ts"
import type { OpenRequest } from "../open-requests.ts"
import { openPostStream } from "../post-stream.ts"
import { openStream, type StreamTools } from "../standing-stream.ts"
import { type Conversation, legacyCaller, liveOf } from "./conversation.ts"
import { type Conversations, TooManyConversations } from "./conversations.ts"
import type { EarlyCancellations } from "./early-cancellations.ts"
import { newEventLog } from "./event-log.ts"
import type { HeldElsewhere } from "./held-elsewhere.ts"
import { initialize } from "./initialize.ts"
import type { KeptLogs } from "./kept-logs.ts"
import {
  answerRequest,
  askOf,
  cancelledId,
  giveUpWhileAway,
  type LegacyMessageContext,
  takeNotification,
  takeResponse,
} from "./legacy-messages.ts"

export type Visit = {
  readonly request: FrontRequest
  readonly response: FrontResponse
  readonly identity: Identity
  readonly backend: Backend
  readonly path: string
  readonly open: OpenRequest
  /** Of a message that did not begin at once. */
  coming: ComingMessage | null
}

export type LegacyTools = StreamTools & {
  readonly conversations: Conversations
  readonly cancellations: EarlyCancellations
  readonly keptLogs: KeptLogs
  readonly heldElsewhere: HeldElsewhere | undefined
  readonly now: () => number
  /** How long a client whose connection broke has to come back to what it is asked. */
  readonly parkedMs: number
  readonly newId: () => string
}

export function postLegacy(
  visit: Visit,
  messages: readonly Message[],
  batch: boolean,
  tools: LegacyTools,
): Promise<void> | void {
  const { request, response } = visit
  const { accept } = request.headers
  if (!accepts(accept, "application/json") || !accepts(accept, "text/event-stream")) {
    return refuse(response, 406, "Accept both application/json and text/event-stream.")
  }
  const [first] = messages
  if (first !== undefined && isRequest(first) && first.method === "initialize" && !batch)
    return open(visit, first, tools)
  const found = conversationOf(visit, tools)
  if (found instanceof Promise) return found.then((conversation) => takeIn(visit, conversation, messages, batch, tools))
  return takeIn(visit, found, messages, batch, tools)
}

function takeIn(
  visit: Visit,
  conversation: Conversation | undefined,
  messages: readonly Message[],
  batch: boolean,
  tools: LegacyTools,
): Promise<void> | void {
  const { response, open } = visit
  if (conversation === undefined || open.isEnded()) return
  if (batch && !hasBatches(conversation.record.version)) return refuse(response, 400, noBatches)
  const { heldElsewhere } = tools
  const unknown = heldElsewhere === undefined ? [] : cancelledUnknown(conversation, messages)
  if (heldElsewhere === undefined || unknown.length === 0) return take(visit, conversation, messages, batch, tools)
  return cancelElsewhere(visit, conversation, unknown, heldElsewhere).then((isCancelled) => {
    if (open.isEnded()) return
    if (isCancelled || tools.cancellations.awaits(visit.request.headers, visit.coming)) {
      take(visit, conversation, messages, batch, tools)
    } else refuse(response, 409, unknownRequest)
  })
}

/** The requests that are cancelled and not known here: another process may be answering them. */
function cancelledUnknown(conversation: Conversation, messages: readonly Message[]): readonly RequestId[] {
  const { exchanges } = liveOf(conversation)
  const here = (id: RequestId): boolean =>
    exchanges.has(id) || messages.some((message) => "method" in message && isRequest(message) && message.id === id)
  return messages.flatMap((message) => {
    const isCancellation = "method" in message && message.method === "notifications/cancelled"
    const id = isCancellation && isNotification(message) ? cancelledId(message) : undefined
    return id === undefined || here(id) ? [] : [id]
  })
}

/** False: at least one of them is known nowhere. */
async function cancelElsewhere(
  { identity }: Visit,
  { record }: Conversation,
  ids: readonly RequestId[],
  { cancel }: HeldElsewhere,
): Promise<boolean> {
  const cancelled = await Promise.all(ids.map((id) => cancel(record.id, id, identity.principal.id)))
  return cancelled.every((isKnown) => isKnown)
}

const unknownRequest = rpcError(
  errorCode.transport,
  "No held call of a request with this id is known. It may have been answered, or another replica is answering it: cancel it over the connection it was sent on, or end the session.",
)

const noBatches = rpcError(errorCode.invalidRequest, "This revision has no batches. Send one message at a time.")

async function open(visit: Visit, message: RequestMessage, tools: LegacyTools): Promise<void> {
  const { request, response, identity, backend, path } = visit
  const wrong = checkLegacyVersion(headerOf(request, "mcp-protocol-version"))
  if (wrong !== undefined) return refuse(response, 400, wrong, {}, message.id)
  const id = tools.newId()
  const named = nameSession(identity, id, request.headers["byleave-session"], askOf(message))
  if (!named.ok) return refuse(response, named.status, named.problem, {}, message.id)
  const known = { id, path, createdAt: tools.now(), session: named.session.id }
  const made = await initialize(named.ask, identity, backend, known, tools.log)
  const text = writeMessage(replyMessage(message.id, made.reply))
  if (visit.open.isEnded()) return
  if (!made.ok) return sendJson(response, 200, text)
  try {
    await tools.conversations.open(made.record, backend, identity)
  } catch (error) {
    return refuseTooMany(response, error, message.id)
  }
  sendJson(response, 200, text, { "mcp-session-id": id })
}

function refuseTooMany(response: FrontResponse, error: unknown, id: RequestId | null): void {
  if (!(error instanceof TooManyConversations)) throw error
  refuse(response, 429, error.message, {}, id)
}

const noSuchSession = rpcError(errorCode.sessionNotFound, "There is no such session. Open one with initialize.")

/** The conversation a request belongs to; undefined when it was refused. */
function conversationOf(
  visit: Visit,
  tools: LegacyTools,
): Conversation | undefined | Promise<Conversation | undefined> {
  const { request, response, identity, backend, path } = visit
  const wrong = checkLegacyVersion(headerOf(request, "mcp-protocol-version"))
  if (wrong !== undefined) return void refuse(response, 400, wrong)
  const id = headerOf(request, "mcp-session-id")
  if (id === undefined)
    return void refuse(response, 400, "The header Mcp-Session-Id is missing. Open a session with initialize.")
  const known = tools.conversations.known(id, identity, path)
  if (known !== undefined) return known
  return tools.conversations.find(id, identity, path, backend).then(
    (conversation) => {
      if (conversation === undefined) refuse(response, 404, noSuchSession)
      return conversation
    },
    (error: unknown) => void refuseTooMany(response, error, null),
  )
}

function headerOf(request: FrontRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === "string" ? value.trim() : undefined
}

type AskedTogether = {
  readonly asked: readonly Asked[]
  readonly batch: boolean
  /** The requests that the same message cancels. */
  readonly cancelled: ReadonlySet<RequestId> | null
}
type Asked = { readonly message: RequestMessage; readonly ask: Ask; readonly caller: Caller }

function take(
  visit: Visit,
  conversation: Conversation,
  messages: readonly Message[],
  batch: boolean,
  tools: LegacyTools,
): void {
  const { request, response, identity, backend } = visit
  const { log, heldElsewhere } = tools
  const talk: LegacyMessageContext = { backend, live: liveOf(conversation), log, heldElsewhere }
  const asked: Asked[] = []
  /** Also where the cancellation stands beside its request, in one batch. */
  let cancelled: Set<RequestId> | null = null
  for (const message of messages) {
    if (!("method" in message)) {
      takeResponse(talk, message)
      continue
    }
    const named = nameSession(identity, conversation.record.id, request.headers["byleave-session"], askOf(message))
    if (!named.ok) {
      refuse(response, named.status, named.problem, {}, isRequest(message) ? message.id : null)
      return
    }
    const caller = legacyCaller(conversation.record, identity, named.session)
    conversation.caller = caller
    if (isNotification(message)) {
      const id = message.method === "notifications/cancelled" ? cancelledId(message) : undefined
      if (id !== undefined && !keepCancellation(visit, talk, id, tools)) {
        refuse(response, 429, tooManyCancelled, { "retry-after": "1" })
        return
      }
      if (id !== undefined) cancelled = (cancelled ?? new Set()).add(id)
      const wrong = takeNotification(talk, { ...message, ...named.ask }, caller)
      if (wrong !== null) {
        refuse(response, 400, wrong)
        return
      }
    } else asked.push({ message, ask: named.ask, caller })
  }
  if (asked.length === 0) accepted(response)
  else answer(visit, conversation, { asked, batch, cancelled }, talk, tools)
}

/** For a request that has come and has not begun. False: it is neither kept nor about one that has begun. */
function keepCancellation(
  { identity, request }: Visit,
  { live }: LegacyMessageContext,
  id: RequestId,
  { cancellations }: LegacyTools,
): boolean {
  return cancellations.keep(identity.principal.id, request.headers, id) || live.exchanges.has(id)
}

const tooManyCancelled = rpcError(
  errorCode.transport,
  "This agent has cancelled as many requests that have not begun as may be kept. Nothing was done. Send it again.",
)
const cancelledBefore = rpcError(errorCode.internal, "This request was cancelled before it began. Nothing was done.")

function answer(
  visit: Visit,
  conversation: Conversation,
  { asked, batch, cancelled }: AskedTogether,
  talk: LegacyMessageContext,
  tools: LegacyTools,
): void {
  const { response, coming } = visit
  const { logs } = liveOf(conversation)
  const exchanges: Array<Exchange & Withdrawal> = []
  const outlet = openPostStream({
    response,
    keepAlive: tools.keepAlive,
    // Its connection may break long before all of it is answered.
    onReplied: visit.open.uses(),
    waits: visit.open.waits,
    fits: visit.open.fits,
    batch: batch ? asked.length : null,
    statusOf: () => 200,
    newLog: () => {
      const { principal } = conversation.record
      const log = newEventLog(tools.newName(), (live) => tools.unread.fits(principal, live, 0))
      logs.set(log.name, log)
      return { log, prime: startsWithPriming(conversation.record.version) }
    },
    onEnd: (log) => {
      log.endedAt = tools.now()
      tools.keptLogs.keep(conversation.record.principal, log, logs)
    },
    onClose: (delivered, log) => {
      if (delivered && log !== null) logs.delete(log.name)
      if (delivered) return
      for (const exchange of exchanges) exchange.drop()
      giveUpWhileAway(talk, exchanges, () => log !== null && log.live !== null, tools.parkedMs)
    },
  })
  for (const { message, ask, caller } of asked) {
    if (cancelled?.has(message.id) === true || coming?.isCancelled(message.id) === true) {
      outlet.reply(errorMessage(message.id, cancelledBefore))
      continue
    }
    if (ask.method === "initialize") {
      outlet.reply(errorMessage(message.id, rpcError(errorCode.invalidRequest, "initialize stands alone.")))
      continue
    }
    const exchange = answerRequest(talk, { id: message.id, ask, caller, isRevoked: visit.open.isEnded }, outlet)
    if (exchange !== undefined) exchanges.push(exchange)
  }
}

export async function getLegacy(visit: Visit, tools: LegacyTools): Promise<void> {
  const { request, response, identity } = visit
  if (!accepts(request.headers.accept, "text/event-stream")) return refuse(response, 406, "Accept text/event-stream.")
  const conversation = await conversationOf(visit, tools)
  if (conversation === undefined || visit.open.isEnded()) return
  const named = nameSession(identity, conversation.record.id, request.headers["byleave-session"], { method: "" })
  if (!named.ok) return refuse(response, named.status, named.problem)
  conversation.caller = legacyCaller(conversation.record, identity, named.session)
  return openStream(conversation, request, response, tools)
}

export async function deleteLegacy(visit: Visit, tools: LegacyTools): Promise<void> {
  const conversation = await conversationOf(visit, tools)
  if (conversation === undefined) return
  await tools.conversations.end(conversation)
  visit.response.writeHead(200, { "content-length": 0 })
  visit.response.end()
}
