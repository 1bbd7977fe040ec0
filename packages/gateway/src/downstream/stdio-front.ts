/**
 * One client on a pair of streams, a message a line. Both eras on one pipe: `initialize` opens a legacy conversation, and a request that says
 * who makes it is modern. When the client is gone, by the end of its input, an error of its output or because this process is to stop, what is
 * held for it is withdrawn at once, in both eras; what runs has some time to end.
 */
import type { Identity, StdioStreams } from "../gateway.ts"
import type { Caller } from "../wire/caller.ts"
import { classifyRequest } from "../wire/classify.ts"
import type { Envelope } from "../wire/envelope.ts"
import { errorCode, errorMessage, replyMessage, rpcError } from "../wire/errors.ts"
import type { Backend } from "../wire/exchange.ts"
import type { Ask, Message, NotificationMessage, RequestId, RequestMessage, RpcError } from "../wire/message.ts"
import { unanswered } from "../wire/not-asked.ts"
import type { ConversationRecord } from "../wire/ports.ts"
import { isNotification, isRequest, type ReadMessages, readMessages } from "../wire/read-message.ts"
import { hasBatches } from "../wire/versions.ts"
import { writeLine } from "../wire/write-message.ts"
import { defaultMaxBodyBytes, type FrontOptions } from "./front-options.ts"
import { legacyCaller } from "./legacy/conversation.ts"
import { initialize } from "./legacy/initialize.ts"
import {
  answerRequest,
  askOf,
  cancelledId,
  giveUpInquiries,
  inquire,
  type LegacyMessageContext,
  takeNotification,
  takeResponse,
} from "./legacy/legacy-messages.ts"
import { modernCaller } from "./modern/modern-http.ts"
import { createModernRequests, type Withdraw } from "./modern/modern-requests.ts"
import { type NamedSession, nameSession } from "./name-session.ts"
import { createLineReader, type InputLine } from "./read-lines.ts"
import type { ReplyStream } from "./reply-stream.ts"
import { createStdioRequests } from "./stdio-requests.ts"

type Readable = Extract<ReadMessages, { readonly ok: true }>
/** `bytes`: of the line that it came in. */
type Early = { readonly read: Readable; readonly bytes: number }

/** How long what still runs may take to be written once the client has said its last. */
const lastWordsMs = 5_000

export async function serveStdioFront(
  streams: StdioStreams,
  backend: Backend,
  identity: Identity & { readonly session: string },
  options: FrontOptions,
): Promise<void> {
  const { input, output } = streams
  const limit = options.maxBodyBytes ?? defaultMaxBodyBytes
  let isOver = false
  const isGone = (): boolean => isOver
  const desk = createModernRequests({ ...options, isGone })
  const talk: LegacyMessageContext = {
    backend,
    live: { exchanges: new Map(), inquiries: new Map() },
    log: options.log,
    isGone,
  }
  const inFlight = new Map<RequestId, Withdraw>()
  const requests = createStdioRequests(options.openRequests?.().perPrincipal)
  const listening = new Map<RequestId, () => void>()
  let waiting: Early[] | null = null
  let legacy: ConversationRecord | null = null
  let modern: Caller | null = null
  let stopAttending: (() => void) | null = null
  let idle = (): void => {}
  const reader = createLineReader(limit, takeLine)
  await ended()
  isOver = true
  streams.onEnd?.()
  await lastWords()
  await leaveAll()

  function ended(): Promise<void> {
    return new Promise((resolve) => {
      input.on("data", (chunk: Buffer | string) => reader(typeof chunk === "string" ? Buffer.from(chunk) : chunk))
      for (const event of ["end", "close", "error"]) input.on(event, () => resolve())
      for (const event of ["close", "error"]) output.on(event, () => resolve())
    })
  }

  function write(message: Message | readonly Message[], onWritten?: (error?: Error | null) => void): void {
    if (output.writable) output.write(writeLine(message), onWritten)
    else onWritten?.(new Error("Nobody reads any more."))
  }

  /** The way back for one request; `onReply` says whether its reply is still wanted. */
  function outletTo(id: RequestId, onReply: () => boolean): ReplyStream {
    let tell: ((delivered: boolean) => void) | undefined
    return {
      say: write,
      keepOpen: () => {},
      waits: () => requests.waits(id),
      reply: (message) => {
        if (onReply()) write(message, tell === undefined ? undefined : (error) => tell?.(error == null))
        else tell?.(false)
      },
      delivered: () =>
        new Promise((resolve) => {
          tell = resolve
        }),
    }
  }

  function fail(id: RequestId | null, error: RpcError): void {
    write(errorMessage(id, error))
  }

  function takeLine(line: InputLine): void {
    if (line.kind !== "text") {
      fail(null, line.kind === "too-large" ? tooLarge(limit) : rpcError(errorCode.parse, "The line is not UTF-8."))
      return
    }
    const read = readMessages(line.text, { bytes: limit })
    if (!read.ok) fail(read.id, read.error)
    else if (waiting !== null) waiting.push({ read, bytes: line.text.length })
    else takeAll(read, line.text.length)
  }

  function takeAll({ messages, batch }: Readable, bytes: number): void {
    if (batch && (legacy === null || !hasBatches(legacy.version))) {
      fail(null, noBatches)
      return
    }
    for (const message of messages) takeSafely(message, bytes / messages.length)
  }

  /** Catches errors of one message, since no caller above would. */
  function takeSafely(message: Message, bytes: number): void {
    try {
      if (isNotification(message)) takeNote(message)
      else if (!isRequest(message)) takeResponse(talk, message)
      else {
        const wrong = takeRequest(message, bytes)
        if (wrong !== undefined) fail(message.id, wrong)
      }
    } catch (cause) {
      options.log?.(`A message failed: ${cause instanceof Error ? cause.name : "unknown"}.`)
      if (!isRequest(message)) return
      requests.end(message.id)
      fail(message.id, failed)
    }
  }

  /** Answers a request in its own time, or reports its problem at once. */
  function takeRequest(message: RequestMessage, bytes: number): RpcError | undefined {
    if (inFlight.has(message.id)) return sameId
    const classified = classifyRequest(message, null)
    if (classified.era === "neither") return classified.error
    const named = nameSession(identity, identity.session, undefined, askOf(message))
    if (!named.ok) return rpcError(errorCode.invalidRequest, named.problem)
    // The others are answered, or refused, at once.
    const isOpen = classified.era === "modern" || (legacy !== null && message.method !== "initialize")
    const refused = isOpen ? requests.begin(message.id, bytes) : null
    if (refused !== null) return refused
    if (classified.era === "modern") answerModern(message.id, named, classified.envelope)
    else if (message.method === "initialize") {
      if (legacy !== null) return rpcError(errorCode.invalidRequest, "This conversation is open already.")
      void open(message)
    } else if (legacy !== null) answerLegacy(message.id, named.ask, legacyCaller(legacy, identity, named.session))
    else if (message.method === "ping") write({ jsonrpc: "2.0", id: message.id, result: {} })
    else return notOpen
    return undefined
  }

  // Messages that a hasty client sends before it has its answer wait for that answer.
  async function open(message: RequestMessage): Promise<void> {
    const early: Early[] = []
    waiting = early
    inFlight.set(message.id, () => {})
    const known = { id: options.newId(), path: "stdio", createdAt: 0, session: identity.session }
    const made = await initialize(askOf(message), identity, backend, known, options.log)
    if (made.ok) legacy = made.record
    write(replyMessage(message.id, made.reply))
    waiting = null
    for (const { read, bytes } of early) takeAll(read, bytes)
    done(message.id)
  }

  function answerLegacy(id: RequestId, ask: Ask, caller: Caller): void {
    let cancelled = false
    inFlight.set(id, (how) => {
      cancelled = how !== "gone"
    })
    const outlet = outletTo(id, () => {
      done(id)
      // A cancelled request gets no reply: no client waits for it.
      return !cancelled
    })
    answerRequest(talk, { id, ask, caller }, outlet)
  }

  function answerModern(id: RequestId, named: Extract<NamedSession, { readonly ok: true }>, envelope: Envelope): void {
    const caller = modernCaller({ identity }, named, envelope)
    modern = caller
    let replied = false
    const outlet = outletTo(id, () => {
      replied = true
      done(id)
      return true
    })
    const leg = { id, outlet }
    const withdraw = desk.answer({ ask: named.ask, caller, backend, path: "stdio", paramHeaders: null, leg })
    if (replied) return
    inFlight.set(id, withdraw)
    if (named.ask.method === "subscriptions/listen") listening.set(id, withdraw)
  }

  function done(id: RequestId): void {
    inFlight.delete(id)
    requests.end(id)
    listening.delete(id)
    if (inFlight.size === 0) idle()
  }

  function takeNote(message: NotificationMessage): void {
    if (message.method === "notifications/cancelled") {
      const id = cancelledId(message)
      if (id === undefined) return
      const withdraw = inFlight.get(id)
      // A legacy exchange is in the talk, and answers in its own time; a modern one is over.
      withdraw?.()
      if (talk.live.exchanges.has(id)) takeNotification(talk, message, callerNow())
      else if (withdraw !== undefined) done(id)
      return
    }
    if (legacy === null && modern === null) return
    if (message.method === "notifications/initialized") void attend()
    const wrong = takeNotification(talk, message, callerNow())
    if (wrong !== null) options.log?.(`A client's notification was not passed on: ${wrong.message}`)
  }

  function callerNow(): Caller {
    const named = nameSession(identity, identity.session, undefined, { method: "" })
    if (legacy !== null && named.ok) return legacyCaller(legacy, identity, named.session)
    if (modern !== null) return modern
    throw new Error("There is no conversation yet.")
  }

  async function attend(): Promise<void> {
    if (legacy === null || stopAttending !== null) return
    stopAttending = () => {}
    try {
      stopAttending = await backend.attend(callerNow(), {
        notify: (notice) => write({ jsonrpc: "2.0", ...notice }),
        inquire: (ask) => (isOver ? Promise.resolve(unanswered) : inquire(talk, talk.live, ask, write)),
      })
    } catch {
      options.log?.("What a server says of itself cannot be heard.")
    }
  }

  async function lastWords(): Promise<void> {
    for (const exchange of talk.live.exchanges.values()) {
      exchange.drop()
      giveUpInquiries(talk, exchange)
    }
    giveUpInquiries(talk, talk.live)
    for (const withdraw of inFlight.values()) withdraw("gone")
    desk.close()
    for (const [id, stop] of listening) {
      stop()
      done(id)
    }
    if (inFlight.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lastWordsMs)
      idle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function leaveAll(): Promise<void> {
    stopAttending?.()
    if (legacy !== null) await backend.leave(callerNow(), "over")
    if (modern !== null) await backend.leave(modern, "over")
  }
}

const noBatches = rpcError(errorCode.invalidRequest, "This revision has no batches. Send one message at a time.")
const sameId = rpcError(
  errorCode.invalidRequest,
  "A request with this id is still being answered. Use a new id for each request.",
)
const failed = rpcError(errorCode.internal, "The gateway failed while taking this request. Try again.")
const notOpen = rpcError(
  errorCode.invalidRequest,
  "Open the conversation with initialize first, or say in params._meta who makes the request.",
)

function tooLarge(limit: number): RpcError {
  return rpcError(errorCode.invalidRequest, `The line is larger than ${limit} bytes. Send less.`, {
    code: "too-large",
    path: "",
  })
}
