/** The messages of a legacy conversation, over any transport: a client's requests, notifications and answers. */
import { memberAt } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import { errorCode, errorMessage, errorReply, replyMessage, rpcError } from "../../wire/errors.ts"
import type { Backend, Exchange, ServerHello } from "../../wire/exchange.ts"
import type {
  Ask,
  Message,
  NotificationMessage,
  Reply,
  RequestId,
  RequestMessage,
  ResponseMessage,
  RpcError,
} from "../../wire/message.ts"
import { exchangeOver } from "../../wire/not-asked.ts"
import { tooManyQuestions } from "../../wire/question-limits.ts"
import { makeExchange, type Withdrawal } from "../make-exchange.ts"
import type { ReplyStream } from "../reply-stream.ts"
import type { Inquiry, LiveConversation } from "./conversation.ts"

export type LegacyMessageContext = {
  readonly backend: Backend
  readonly live: Pick<LiveConversation, "exchanges" | "inquiries">
  readonly log: ((line: string) => void) | undefined
  /** Where clients can be gone for good. */
  readonly isGone?: () => boolean
}

const noHeaders: ReadonlyMap<string, string> = new Map()

/** Answers a request through its outlet. Gives the exchange it became, if it became one. */
export function answerRequest(
  talk: LegacyMessageContext,
  request: { readonly id: RequestId } & Pick<Exchange, "ask" | "caller" | "isRevoked">,
  outlet: ReplyStream,
): (Exchange & Withdrawal) | undefined {
  const { id, ask, caller, isRevoked } = request
  const { exchanges } = talk.live
  if (ask.method === "ping") return void outlet.reply({ jsonrpc: "2.0", id, result: {} })
  if (exchanges.has(id)) return void outlet.reply(errorMessage(id, sameId))
  const exchange = makeExchange({
    caller,
    ask,
    paramHeaders: noHeaders,
    notify: (notice) => outlet.say({ jsonrpc: "2.0", ...notice }),
    inquire: (inquiry) => (isOver() ? Promise.resolve(exchangeOver) : inquire(talk, exchange, inquiry, outlet.say)),
    keepOpen: outlet.waits,
    delivered: outlet.delivered,
    isGone: talk.isGone,
    isRevoked,
  })
  // Its stream takes nothing more, or its client answers nothing more.
  const isOver = (): boolean =>
    exchanges.get(id) !== exchange || exchange.withdrawn.aborted || exchange.isGone?.() === true
  exchanges.set(id, exchange)
  handleSafely(talk.backend, exchange, talk.log)
    .then((reply) => {
      if (exchanges.get(id) === exchange) exchanges.delete(id)
      giveUpInquiries(talk, exchange)
      outlet.reply(replyMessage(id, reply))
    })
    .catch(() => talk.log?.("A reply could not be written."))
  return exchange
}

const sameId = rpcError(
  errorCode.invalidRequest,
  "A request with this id is still being answered. Use a new id for each request.",
)

/** A backend that throws has a defect; its caller still gets an answer, which says nothing of the inside. */
export async function handleSafely(
  backend: Backend,
  exchange: Exchange,
  log: ((line: string) => void) | undefined,
): Promise<Reply> {
  try {
    return await backend.handle(exchange)
  } catch (cause) {
    log?.(
      `Answering ${JSON.stringify(exchange.ask.method).slice(0, 80)} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
    return errorReply(errorCode.internal, exchange.ask.method === "tools/call" ? mayHaveRun : notAnswered)
  }
}

const mayHaveRun = "The gateway failed while answering this request. Whether it ran is not known."
const notAnswered = "Byleave could not answer this request. Its log says why; try again."

let inquiriesMade = 0
/** Of one conversation, which may have several servers behind it. Each connection to one of them has a smaller limit of its own. */
const mostInquiries = 64

/** Sends a server's question and waits for the client's response to it. */
export function inquire(
  talk: LegacyMessageContext,
  of: object,
  ask: Ask,
  say: (message: Message) => void,
): Promise<Reply> {
  if (talk.live.inquiries.size >= mostInquiries) return Promise.resolve(tooManyQuestions)
  const id = ++inquiriesMade
  return new Promise((settle) => {
    talk.live.inquiries.set(id, { of, settle })
    say({ jsonrpc: "2.0", id, ...ask })
  })
}

/** Settles open inquiries as unanswered: the server's request is over, or no client is left to answer. */
export function giveUpInquiries(talk: LegacyMessageContext, of: object): void {
  for (const [id, inquiry] of talk.live.inquiries) {
    if (inquiry.of !== of) continue
    talk.live.inquiries.delete(id)
    inquiry.settle(unanswered)
  }
}

/**
 * Ends again and again what is asked during exchanges whose connection broke, until they are over: a client that does not come back for the rest of its stream
 * answers nothing, and the server may wait for that answer.
 */
export function giveUpWhileAway(
  talk: LegacyMessageContext,
  exchanges: readonly Exchange[],
  isBack: () => boolean,
  everyMs: number,
): void {
  const running = (): readonly Exchange[] => {
    const all = new Set<Exchange>(talk.live.exchanges.values())
    return exchanges.filter((exchange) => all.has(exchange))
  }
  if (running().length === 0) return
  const timer = setInterval(() => {
    const open = running()
    if (open.length === 0) clearInterval(timer)
    else if (!isBack()) for (const exchange of open) giveUpInquiries(talk, exchange)
  }, everyMs).unref()
}

export const unanswered = errorReply(errorCode.internal, "The client gave no answer.")

/** A response to one of our inquiries; anything else is nobody's. */
export function takeResponse(talk: LegacyMessageContext, message: ResponseMessage): void {
  if (message.id === null) return
  const inquiry: Inquiry | undefined = talk.live.inquiries.get(message.id)
  if (inquiry === undefined) return
  talk.live.inquiries.delete(message.id)
  inquiry.settle(
    "result" in message ? { kind: "result", result: message.result } : { kind: "error", error: message.error },
  )
}

/** The request that a cancellation names, if it names one. */
export function cancelledId({ params }: NotificationMessage): RequestId | undefined {
  const id = memberAt(params, "requestId")
  return typeof id === "string" || typeof id === "number" ? id : undefined
}

/** Returns the problem with it, if any. */
export function takeNotification(
  talk: LegacyMessageContext,
  message: NotificationMessage,
  caller: Caller,
): RpcError | null {
  if (message.method === "notifications/initialized") return null
  if (message.method === "notifications/cancelled") {
    const id = cancelledId(message)
    const exchange = id === undefined ? undefined : talk.live.exchanges.get(id)
    exchange?.withdraw()
    if (exchange !== undefined) giveUpInquiries(talk, exchange)
    return null
  }
  const { method, params } = message
  return talk.backend.note(caller, params === undefined ? { method } : { method, params })
}

export function initializeResult(hello: ServerHello): Reply {
  const { capabilities, serverInfo, instructions, version, more } = hello
  const said = instructions === undefined ? {} : { instructions }
  return { kind: "result", result: { ...more, protocolVersion: version, capabilities, serverInfo, ...said } }
}

export function askOf(message: RequestMessage | NotificationMessage): Ask {
  const { method, params } = message
  return params === undefined ? { method } : { method, params }
}
