/**
 * One side of a JSON-RPC conversation with a server: which answer belongs to whom.
 *
 * Ids and progress tokens are ours, so nothing one caller names can meet what another one named. A request settles once; what
 * comes for it later is dropped. Messages outside any request go to the hooks; a question that no client can be asked is answered here.
 *
 * I1. What goes wrong here while something of the server's is dealt with ends this connection and nothing else.
 * I2. Of what the server asks, only so much is open at a time; the rest is answered with an error. Nothing is asked that was not declared.
 * I3. A server that takes no answers is sent no more: only so many wait to be sent.
 * I4. A request that is withdrawn, or whose connection ends, before anything of it has left is not sent any more, and is said not to have been.
 */
import type { Ask, Notice, Reply, RequestMessage, ResponseMessage } from "../wire/message.ts"
import { progressTokenOf } from "../wire/progress-token.ts"
import type { Signal } from "../wire/signal.ts"
import { createAnswerQuestion } from "./answer-questions.ts"
import type { Channel, ChannelEvents, OpenChannel } from "./channel.ts"
import { isServerChange, subscriptionOf, withoutSubscription } from "./era/notice-kind.ts"
import { statusOf } from "./http/http-status.ts"
import type { Received } from "./http/read-received.ts"
import { createInFlight } from "./in-flight.ts"
import { type Continuity, LinkError, type MayLeave, unsent } from "./link.ts"
import { malformed, neverSent, noticeOf, replyOf, timedOut, withdrawn, withToken } from "./peer-messages.ts"
import { type Askable, type AskableRequests, createQuestionRoutes, type StandingClient } from "./question-routes.ts"

export type PeerRequest = {
  readonly ask: Ask
  readonly headers?: ReadonlyMap<string, string>
  readonly onNotice?: (notice: Notice, guessed?: true) => void
  readonly askable?: () => Askable | null
  readonly mayLeave?: MayLeave | undefined
  readonly once?: boolean | undefined
  readonly principal?: string
  readonly signal?: Signal
  readonly timeoutMs?: number | undefined
}

/** The hooks of the peer's user. Set anew when a probed connection is put to use. */
export type PeerHooks = {
  readonly onNotice: (notice: Notice) => void
  /** The server asks while nobody's request is in flight. Null: there is nobody to ask. */
  readonly onInquiry: (ask: Ask) => Promise<Reply> | null
  /** Whom it may be for, where it does not say about which of those in flight it is; null: there is nobody of whom that could be told. */
  readonly standing: () => StandingClient | null
  /** A question was refused: it may be about requests of several sessions. */
  readonly onUnclear: (ask: Ask) => void
  /** Whether this was declared: the server may ask nothing else. */
  readonly mayAsk: (method: string) => boolean
  /** Whether the revision that was agreed on lets servers send this. */
  readonly passes: (form: "request" | "notification", method: string) => boolean
  /** One client's own connection: messages without an address are for that client. */
  readonly owned: boolean
  /** Another server may answer by now. */
  readonly onDoubt: () => void
  readonly onEnd: (error: LinkError) => void
}

export type Peer = {
  readonly request: (request: PeerRequest) => Promise<Reply>
  readonly notify: (notice: Notice) => Promise<void>
  readonly agreed: (version: string) => void
  readonly use: (hooks: PeerHooks) => void
  /** Runs what belongs to this connection and nobody waits for: where it throws, the connection ends. */
  readonly guard: (work: () => void) => void
  readonly inFlight: () => number
  readonly continuity: () => Continuity
  /** Why it ended, once it has. */
  readonly ended: () => LinkError | null
  readonly close: () => Promise<void>
}

type Pending = {
  readonly id: number
  readonly request: PeerRequest
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: LinkError) => void
  /** No longer watches for its caller's leaving, or for its time. */
  readonly stop: () => void
  /** Its first byte has left, or is about to. */
  hasLeft: boolean
}

const nobody: PeerHooks = {
  onNotice: () => {},
  onInquiry: () => null,
  standing: () => null,
  onUnclear: () => {},
  mayAsk: () => false,
  passes: () => false,
  owned: false,
  onDoubt: () => {},
  onEnd: () => {},
}

/** `cancelByNotice`: a request is withdrawn by a message; otherwise by closing its stream alone. */
export function createPeer(open: OpenChannel, cancelByNotice: boolean): Peer {
  const pending = createInFlight<Pending>()
  const routes = createQuestionRoutes((ask) => hooks.onUnclear(ask))
  let hooks = nobody
  let over: LinkError | null = null
  let isBroken = false

  const events: ChannelEvents = {
    onMessage: (received, about) => guard(() => take(received, about)),
    onGarbled: (text, problem) => guard(() => garbled(text, problem)),
    onFail: (id, error) => failOne(id, error),
    onDoubt: () => guard(() => hooks.onDoubt()),
    onEnd: (error) => guard(() => end(error)),
  }
  const answerQuestion = createAnswerQuestion((message) => channel.tell(message), whomToAsk)
  const channel: Channel = open(events)

  function guard(work: () => void): void {
    if (isBroken) return
    try {
      work()
    } catch (cause) {
      isBroken = true
      const error = new LinkError("malformed", "The server sent what could not be dealt with.", { cause })
      end(error)
      failAll(error)
      channel.close().catch(() => {})
    }
  }

  function take(received: Received, about: number | undefined): void {
    const { message } = received
    if (!("method" in message)) answer(message, received, about)
    else if ("id" in message) void answerQuestion(message, about)
    else note(message, about)
  }

  /** Takes a pending request, which the caller must settle. */
  function settle(id: number): Pending | undefined {
    const found = pending.take(id)
    if (found !== undefined) {
      found.stop()
      routes.ended(id)
    }
    return found
  }

  function failOne(id: number, error: LinkError): void {
    settle(id)?.reject(error)
  }

  /** Ends a request for a reason that lies elsewhere: of one that has not left nothing was sent, and nothing will be. */
  function endEarly(id: number, error: LinkError): Pending | undefined {
    const asked = settle(id)
    asked?.reject(asked.hasLeft ? error : neverSent(error))
    return asked
  }

  function end(error: LinkError): void {
    if (over !== null) return
    over = error
    // A server that forgot the session still answers, if only to say so, and each request hears it by itself.
    if (statusOf(error) !== 404) failAll(error)
    hooks.onEnd(error)
  }

  function failAll(error: LinkError): void {
    for (const id of pending.ids()) endEarly(id, error)
    routes.close()
  }

  function answer(message: ResponseMessage, received: Received, about: number | undefined): void {
    const id = message.id ?? about ?? onlyOne()
    if (about !== undefined && id !== about) {
      failOne(about, malformed("The server answered with the id of another request."))
      channel.drop(about, "abandoned")
      return
    }
    const asked = typeof id === "number" ? settle(id) : undefined
    if (asked === undefined) return
    channel.drop(asked.id, "answered")
    if (received.loose && asked.request.ask.method.endsWith("/list")) {
      asked.reject(malformed("The server's list holds text that can be read in two ways."))
    } else {
      asked.resolve(replyOf(message))
    }
  }

  function onlyOne(): number | undefined {
    return pending.size() === 1 ? pending.ids()[0] : undefined
  }

  function newest(): PeerRequest | undefined {
    const id = pending.ids().at(-1)
    return id === undefined ? undefined : pending.get(id)?.request
  }

  function garbled(text: string, problem: string): void {
    const named = Number(/"id"\s*:\s*(\d+)/.exec(text.slice(0, 4_096))?.[1])
    const id = pending.get(named) !== undefined ? named : onlyOne()
    if (id !== undefined) endEarly(id, malformed(`The server sent what cannot be read. ${problem}`))
  }

  function note(message: Notice, about: number | undefined): void {
    if (!hooks.passes("notification", message.method)) return
    if (message.method === "notifications/progress") progress(message)
    // It withdraws a question of its own; the client may still answer, and the server ignores the answer.
    else if (message.method !== "notifications/cancelled") passOn(message, about)
  }

  function passOn(message: Notice, about: number | undefined): void {
    const id = subscriptionOf(message) ?? about
    const notice = noticeOf(message)
    if (id !== undefined) {
      pending.get(id)?.request.onNotice?.(withoutSubscription(notice))
      if (subscriptionOf(message) === undefined && isServerChange(message.method)) hooks.onNotice(notice)
      return
    }
    const receiver = message.method === "notifications/message" ? addressee() : undefined
    if (receiver === undefined) hooks.onNotice(notice)
    else receiver.onNotice?.(notice, true)
  }

  // On a connection that several share, a line without an address is given to a request only when there is just one.
  function addressee(): PeerRequest | undefined {
    return hooks.owned || pending.size() === 1 ? newest() : undefined
  }

  function progress(message: Notice): void {
    const token = message.params?.progressToken
    const request = typeof token === "number" ? pending.get(token)?.request : undefined
    const given = request === undefined ? undefined : progressTokenOf(request.ask.params)
    if (request === undefined || given === undefined) return
    request.onNotice?.({ method: message.method, params: { ...message.params, progressToken: given } })
  }

  function whomToAsk(message: RequestMessage, about: number | undefined): Promise<Reply> | null {
    if (!hooks.passes("request", message.method)) return null
    const ask: Ask = noticeOf(message)
    if (!hooks.mayAsk(message.method)) return null
    const requests = askableRequests(about === undefined ? pending.ids() : [about])
    if (requests.length > 0) return routes.ask(ask, requests, about === undefined ? hooks.standing() : null)
    return about === undefined ? hooks.onInquiry(ask) : null
  }

  function askableRequests(ids: readonly number[]): AskableRequests {
    return ids.flatMap((id) => {
      const asked = pending.get(id)
      const client = asked?.hasLeft === true ? asked.request.askable?.() : null
      return client === null || client === undefined ? [] : [[id, client] as const]
    })
  }

  function send(request: PeerRequest, resolve: Pending["resolve"], reject: Pending["reject"]): void {
    const id = pending.next()
    const stop = watch(request, (error) => withdraw(id, error))
    pending.put(id, { id, request, resolve, reject, stop, hasLeft: false })
    const { method } = request.ask
    const params = withToken(request.ask, id)
    const message: RequestMessage =
      params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params }
    channel.ask(message, { ...request, mayLeave: () => mayLeave(id) })
  }

  function mayLeave(id: number): boolean {
    const asked = pending.get(id)
    if (asked === undefined || asked.request.mayLeave?.() === false) return false
    asked.hasLeft = true
    return true
  }

  function withdraw(id: number, error: LinkError): void {
    const asked = endEarly(id, error)
    if (asked === undefined) return
    channel.drop(id, "abandoned")
    if (!asked.hasLeft || !cancelByNotice || openings.has(asked.request.ask.method)) return
    const params = { requestId: id, reason: error.message }
    channel.tell({ jsonrpc: "2.0", method: "notifications/cancelled", params }).catch(() => {})
  }

  return {
    request: (request) => {
      if (over !== null)
        return Promise.reject(new LinkError("unreachable", over.message, { cause: over.cause ?? over }))
      if (request.signal?.aborted === true) return Promise.reject(unsent())
      return new Promise((resolve, reject) => send(request, resolve, reject))
    },
    notify: (notice) => channel.tell({ jsonrpc: "2.0", ...notice }),
    agreed: channel.agreed,
    use: (next) => {
      hooks = next
      if (over !== null) hooks.onEnd(over)
    },
    guard,
    inFlight: pending.size,
    continuity: channel.continuity,
    ended: () => over,
    close: async () => {
      const closed = new LinkError("cut-off", "The connection to the server was closed.")
      end(closed)
      failAll(closed)
      await channel.close()
    },
  }
}

// A conversation that has not begun knows no cancellation.
const openings: ReadonlySet<string> = new Set(["initialize", "server/discover"])

// Ends a request early when its caller withdraws or its time is up; returns how to stop watching.
function watch(request: PeerRequest, early: (error: LinkError) => void): () => void {
  const { signal, timeoutMs } = request
  const onAbort = () => early(withdrawn())
  signal?.addEventListener("abort", onAbort, { once: true })
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => early(timedOut(timeoutMs)), timeoutMs)
  return () => {
    signal?.removeEventListener("abort", onAbort)
    if (timer !== undefined) clearTimeout(timer)
  }
}
