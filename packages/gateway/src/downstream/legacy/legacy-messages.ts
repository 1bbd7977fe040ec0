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
import { exchangeOver, unanswered } from "../../wire/not-asked.ts"
import { tooManyQuestions } from "../../wire/question-limits.ts"
import type { Signal } from "../../wire/signal.ts"
import { makeExchange, type Withdrawal } from "../make-exchange.ts"
import type { ReplyStream } from "../reply-stream.ts"
import type { Inquiry, LiveConversation } from "./conversation.ts"
import type { HeldElsewhere } from "./held-elsewhere.ts"

export type LegacyMessageContext = {
  readonly backend: Backend
  readonly live: Pick<LiveConversation, "exchanges" | "inquiries">
  readonly log: ((line: string) => void) | undefined
  /** Where other processes answer requests of the same conversation. */
  readonly heldElsewhere?: HeldElsewhere | undefined
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
  const { heldElsewhere } = talk
  let forgetHeld: (() => void) | null = null
  const exchange = makeExchange({
    caller,
    ask,
    paramHeaders: noHeaders,
    notify: (notice) => outlet.say({ jsonrpc: "2.0", ...notice }),
    inquire: (inquiry, until) =>
      isOver() ? Promise.resolve(exchangeOver) : inquire(talk, exchange, inquiry, outlet.say, until),
    keepOpen: outlet.waits,
    delivered: outlet.delivered,
    isGone: talk.isGone,
    isRevoked,
    onHeld:
      heldElsewhere &&
      ((approval) => {
        forgetHeld = heldElsewhere.keep(caller.conversation, id, approval)
      }),
  })
  // Its stream takes nothing more, or its client answers nothing more.
  const isOver = (): boolean =>
    exchanges.get(id) !== exchange || exchange.withdrawn.aborted || exchange.isGone?.() === true
  exchanges.set(id, exchange)
  void handleSafely(talk.backend, exchange, talk.log).then((reply) => {
    if (exchanges.get(id) === exchange) exchanges.delete(id)
    endInquiries(talk, exchange)
    forgetHeld?.()
    try {
      outlet.reply(replyMessage(id, reply))
    } catch {
      talk.log?.("A reply could not be written.")
    }
  })
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
  until?: Signal,
): Promise<Reply> {
  const { inquiries } = talk.live
  if (inquiries.size >= mostInquiries) return Promise.resolve(tooManyQuestions)
  if (until?.aborted === true) return Promise.resolve(exchangeOver)
  const id = ++inquiriesMade
  return new Promise((resolve) => {
    const settle = (reply: Reply): void => {
      inquiries.delete(id)
      until?.removeEventListener("abort", giveUp)
      resolve(reply)
    }
    const giveUp = (): void => settle(unanswered)
    until?.addEventListener("abort", giveUp, { once: true })
    inquiries.set(id, { of, until, settle })
    say({ jsonrpc: "2.0", id, ...ask })
  })
}

/** Settles open inquiries as unanswered: no client is left to answer. */
export function giveUpInquiries({ live }: Pick<LegacyMessageContext, "live">, of: object): void {
  for (const inquiry of live.inquiries.values()) if (inquiry.of === of) inquiry.settle(unanswered)
}

/**
 * The exchange is over. Questions about nothing else end with it; its client answers the others by their ids, whichever stream carried them.
 */
function endInquiries({ live }: LegacyMessageContext, exchange: Exchange): void {
  for (const inquiry of live.inquiries.values()) {
    if (inquiry.of !== exchange) continue
    if (inquiry.until === undefined || inquiry.until.aborted) inquiry.settle(unanswered)
    else inquiry.of = live
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
    // Those that outlived their exchange may be put to one whose client is there.
    else if (!isBack()) for (const of of [...open, talk.live]) giveUpInquiries(talk, of)
  }, everyMs).unref()
}

/** A response to one of our inquiries; anything else is nobody's. */
export function takeResponse(talk: LegacyMessageContext, message: ResponseMessage): void {
  if (message.id === null) return
  const inquiry: Inquiry | undefined = talk.live.inquiries.get(message.id)
  inquiry?.settle(
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
    if (exchange !== undefined) endInquiries(talk, exchange)
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
