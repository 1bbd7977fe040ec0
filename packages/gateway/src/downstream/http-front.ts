/**
 * The HTTP face of the gateway: legacy and modern on one path. It knows hosts, credentials, sessions and streams, and of what stands
 * behind a path nothing but a `Backend`. Messages that cannot be understood are refused before the backend hears of them.
 */
import { setImmediate as nextTurn } from "node:timers/promises"
import { createBodyBudget, createBodyTurns, createUnreadBudget } from "@byleave/core"
import { classifyRequest, isModernNotification } from "../wire/classify.ts"
import { claimsEnvelope } from "../wire/envelope.ts"
import { errorCode, modernStatus, rpcError } from "../wire/errors.ts"
import { wireHeaders } from "../wire/headers/check-headers.ts"
import type { Message, RpcError } from "../wire/message.ts"
import { isNotification, isRequest, type ReadMessages, readMessages } from "../wire/read-message.ts"
import { isModernVersion } from "../wire/versions.ts"
import { comesFromHere, isJsonContent } from "./check-request.ts"
import type { ComingMessage, FrontRequest, FrontResponse } from "./front-message.ts"
import { defaultMaxBodyBytes, type FrontPath, type HttpFrontOptions, pathKey } from "./front-options.ts"
import { refuse } from "./http-answer.ts"
import { createKeepAlive } from "./keep-alive.ts"
import { createConversations } from "./legacy/conversations.ts"
import { createEarlyCancellations } from "./legacy/early-cancellations.ts"
import { createKeptLogs } from "./legacy/kept-logs.ts"
import { deleteLegacy, getLegacy, type LegacyTools, postLegacy, type Visit } from "./legacy/legacy-http.ts"
import { noteModern, postModern } from "./modern/modern-http.ts"
import { createModernRequests } from "./modern/modern-requests.ts"
import { createOpenRequests } from "./open-requests.ts"
import { type RequestBody, readBody } from "./read-body.ts"
import { createUnreadReplies } from "./unread-replies.ts"

export type HttpFront = ((request: FrontRequest, response: FrontResponse, path: FrontPath) => Promise<void>) & {
  readonly counts: () => { readonly conversations: number; readonly open: number; readonly parked: number }
  /** The head of a message has come, and not all of it. Null: it cannot be cancelled before it begins. */
  readonly comes: (headers: FrontRequest["headers"]) => ComingMessage | null
  /** Ends what a principal whose credential was revoked began before `until`: its requests are broken off, its conversations are over. */
  readonly endRevoked: (principal: string, until: number) => Promise<void>
  /** Ends standing streams, gives up parked requests and stops all timers. Running requests are still answered. */
  readonly close: () => void
}

const allowed = { allow: "GET, POST, DELETE" }
/** In characters: a cancellation, or what a person answers to a question, is shorter. */
const shortMessage = 4 * 1024

type ReadableMessages = Extract<ReadMessages, { readonly ok: true }>

export function createHttpFront(options: HttpFrontOptions): HttpFront {
  const limit = options.maxBodyBytes ?? defaultMaxBodyBytes
  const keepAlive = createKeepAlive(options.times.keepAliveMs)
  const conversations = createConversations(options)
  const desk = createModernRequests(options)
  const unread = createUnreadReplies(conversations.kept, options.unread ?? createUnreadBudget(options.now))
  const requests = createOpenRequests(
    () => options.openRequests?.() ?? {},
    options.bodies ?? createBodyBudget(undefined, createBodyTurns(nextTurn)),
    unread,
    options.now,
    options.judging,
  )
  const { now, newId, log, asReader = (_, work) => work() } = options
  // Streams of another process have other names, so that none is taken for one of ours.
  const boot = newId()
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(-12)
  let streams = 0
  const newName = (): string => `${boot}${(streams++).toString(36)}`
  const keptLogs = createKeptLogs()
  const cancellations = createEarlyCancellations()
  const tools: LegacyTools = {
    conversations,
    cancellations,
    keptLogs,
    heldElsewhere: options.heldElsewhere,
    keepAlive,
    newName,
    unread,
    log,
    now,
    newId,
    parkedMs: options.times.parkedMs,
  }
  const modernTools = { desk, keepAlive, log }
  return Object.assign(handle, { counts, comes: cancellations.comes, endRevoked, close })

  // Most requests are taken in one turn: steps that need not wait are not awaited.
  async function handle(request: FrontRequest, response: FrontResponse, path: FrontPath): Promise<void> {
    // A response that fails closes as well, which is where it is dealt with.
    response.on("error", ignore)
    let coming = request.coming ?? null
    try {
      if (!comesFromHere(request, response, options.hosts(), options.origins())) return
      const known = options.identify(request.headers)
      const isLater = known instanceof Promise
      if (isLater) coming ??= cancellations.comes(request.headers)
      const identity = isLater ? await known : known
      const taken =
        identity === null
          ? refuseUnknown(response)
          : asReader(identity.principal.id, () => receive(request, response, path, { identity, coming }))
      if (taken !== undefined) await taken
    } catch (cause) {
      log?.(`A request failed: ${cause instanceof Error ? cause.name : "unknown"}.`)
      refuse(response, 500, rpcError(errorCode.internal, "The gateway failed while taking this request. Try again."))
    } finally {
      coming?.done()
    }
  }

  function receive(
    request: FrontRequest,
    response: FrontResponse,
    path: FrontPath,
    { identity, coming }: Pick<Visit, "identity" | "coming">,
  ): Promise<void> | void {
    const backend = options.backendOf(path.server)
    if (backend === undefined) return refuse(response, 404, "There is no such server here. Check the address.")
    // Its connection ended while it was asked who sends it.
    if (response.destroyed) return
    const open = requests.begin(identity.principal.id, response)
    if (open === null) return
    const visit: Visit = { request, response, identity, backend, path: pathKey(path), open, coming }
    if (request.method === "POST") return untilBegun(visit, post(visit))
    if (request.method !== "GET" && request.method !== "DELETE") {
      return refuse(response, 405, "Use POST, GET or DELETE.", allowed)
    }
    const version = wireHeaders(request.headers).version
    if (version !== undefined && isModernVersion(version)) {
      return refuse(response, 405, "This revision has only POST.", { allow: "POST" })
    }
    if (request.method === "DELETE") return deleteLegacy(visit, tools)
    if (open.asks(1, null)) return getLegacy(visit, tools)
  }

  /** A message that does not begin at once can be cancelled meanwhile, also while nobody has read it. */
  function untilBegun(visit: Visit, begins: Promise<void> | void): Promise<void> | void {
    if (begins === undefined || visit.coming !== null) return begins
    const coming = cancellations.comes(visit.request.headers)
    visit.coming = coming
    return coming === null ? begins : begins.finally(coming.done)
  }

  function post(visit: Visit): Promise<void> | void {
    const { request, response } = visit
    const { "content-type": type, "content-encoding": encoding } = request.headers
    if (!isJsonContent(type)) return refuse(response, 415, "Send Content-Type: application/json.")
    if (encoding !== undefined && encoding !== "identity")
      return refuse(response, 415, "Send the body without compression.")
    const body = readBody(request, limit, visit.open.grows)
    return body instanceof Promise ? body.then((arrived) => takeBody(visit, arrived)) : takeBody(visit, body)
  }

  function takeBody(visit: Visit, body: RequestBody): Promise<void> | void {
    const { response } = visit
    switch (body.kind) {
      case "text":
        return inTurn(visit, body.text)
      case "too-large":
        return refuse(response, 413, `The body is larger than ${limit} bytes. Send less.`, { connection: "close" })
      case "too-much":
        return refuse(response, 503, body.words, { "retry-after": "5", connection: "close" })
      case "not-utf8":
        return refuse(response, 400, rpcError(errorCode.parse, "The body is not UTF-8."))
      case "cut-off":
        return
    }
  }

  /** Short messages are read at once: what cancels or answers something does not wait behind requests. Others are kept as they came until it is their turn. */
  function inTurn(visit: Visit, text: string): Promise<void> | void {
    if (text.length <= shortMessage) return understand(visit, text, true)
    const turn = visit.open.turn()
    if (turn === null) return understand(visit, text, false)
    return turn.then((isIts) => (isIts ? understand(visit, text, false) : undefined))
  }

  function understand(visit: Visit, text: string, isEarly: boolean): Promise<void> | void {
    const { response, open } = visit
    if (open.isEnded()) return
    const read = readMessages(text, { bytes: limit })
    if (!read.ok) return refuse(response, 400, read.error, {}, read.id)
    const turn = isEarly && read.messages.some(beginsWork) ? open.turn() : null
    if (turn === null) return begin(visit, read)
    return turn.then((isIts) => (isIts ? begin(visit, read) : undefined))
  }

  function begin(visit: Visit, { messages, batch }: ReadableMessages): Promise<void> | void {
    const { request, response, open } = visit
    if (open.isEnded()) return
    const [first] = messages
    if (batch || first === undefined) return takeBatch(visit, messages)
    const headers = wireHeaders(request.headers)
    if (isRequest(first)) {
      if (!open.asks(1, first.id)) return
      const classified = classifyRequest(first, headers)
      if (classified.era === "modern") return postModern(visit, first, classified.envelope, modernTools)
      if (classified.era === "neither")
        return refuse(response, refusalStatus(classified.error), classified.error, {}, first.id)
    } else if (isNotification(first) && isModernNotification(first, headers)) {
      return noteModern(visit, first)
    }
    return postLegacy(visit, messages, false, tools)
  }

  function takeBatch(visit: Visit, messages: readonly Message[]): Promise<void> | void {
    if (messages.some((message) => "method" in message && claimsEnvelope(message.params))) {
      return refuse(visit.response, 400, rpcError(errorCode.invalidRequest, "The modern era has no batches."))
    }
    const asked = messages.filter(isRequest).length
    if (asked === 0 || visit.open.asks(asked, null)) return postLegacy(visit, messages, true, tools)
  }

  function counts(): { readonly conversations: number; readonly open: number; readonly parked: number } {
    return { ...conversations.counts(), parked: desk.parked() }
  }

  async function endRevoked(principal: string, until: number): Promise<void> {
    requests.end(principal, until)
    desk.giveUp(principal)
    await conversations.endAll(principal, until)
  }

  function close(): void {
    conversations.close()
    desk.close()
    keepAlive.stop()
  }
}

function ignore(): void {}

/** A cancellation or an answer ends or continues what has begun. */
function beginsWork(message: Message): boolean {
  return "method" in message && message.method !== "notifications/cancelled"
}

function refuseUnknown(response: FrontResponse): void {
  const words = "A valid agent token is needed. Send it as Authorization: Bearer <token>."
  refuse(response, 401, words, { "www-authenticate": "Bearer" })
}

/** An envelope that is wrong is the request's fault, though its code means something milder elsewhere. */
function refusalStatus(error: RpcError): number {
  return error.code === errorCode.invalidParams ? 400 : modernStatus({ jsonrpc: "2.0", id: null, error })
}
