/**
 * A lean HTTP client for one server: keep-alive connections of its own, no redirects to other origins, and a clear line between
 * "nothing was sent" and "something may have been". Posts over plain HTTP, which is what calls are, go over connections that know
 * just that (`plain-pool.ts`), at half of what node:http's client costs; everything else goes over node:http.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { answerOf, type HttpAnswer } from "./http-answer.ts"
import { LinkError } from "./link.ts"
import { createPool, type PlainPool } from "./plain-pool.ts"
import { isPlain, requestBytes } from "./plain-request.ts"
import type { Setting } from "./upstream-options.ts"

export type HttpRequest = {
  readonly method: "POST" | "GET" | "DELETE"
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The connection stands and the request is about to be written. */
  readonly onSent?: () => void
  readonly onAnswer: (answer: HttpAnswer) => void
  /** No answer. `stale`: the connection had been used before and broke before a byte came back. */
  readonly onFail: (error: LinkError, stale: boolean) => void
}

export type HttpClient = {
  /** Sends; the returned function ends the exchange, silently. */
  readonly send: (request: HttpRequest) => () => void
  readonly close: () => void
}

const mostConnections = 256
// Shorter than what common servers keep a quiet connection for, so that a call seldom meets one that is just being closed.
const quietMs = 4_000

export function createHttpClient(setting: Setting): HttpClient {
  const calls = agents(mostConnections)
  // Streams stay open for hours; they may not use up what calls need.
  const streams = agents(Number.POSITIVE_INFINITY)
  const plain = createPlainPosts(setting)
  const over = (request: HttpRequest): Carry => {
    if (request.method !== "POST") return (one) => sendByNode(one, streams, setting)
    return isPlainPost(request) ? plain.send : (one) => sendByNode(one, calls, setting)
  }
  return {
    send: (request) => send(request, over(request), 0),
    close: () => {
      calls.close()
      streams.close()
      plain.close()
    },
  }
}

/** Sends one request to just the address it names. */
type Carry = (request: HttpRequest) => () => void

/** Follows where a server sends us on to, if it may. */
function send(request: HttpRequest, carry: Carry, hops: number): () => void {
  let stop = carry({
    ...request,
    onAnswer: (answer) => {
      const target = redirect(answer, request, hops)
      if (target === undefined) return request.onAnswer(answer)
      answer.discard()
      if (target instanceof LinkError) request.onFail(target, false)
      else stop = send({ ...request, url: target, onSent: () => {} }, carry, hops + 1)
    },
  })
  return () => stop()
}

type PlainPost = HttpRequest & { readonly body: string }

function isPlainPost(request: HttpRequest): request is PlainPost {
  return request.body !== undefined && request.url.protocol === "http:" && isPlain(request.headers)
}

function createPlainPosts(setting: Setting): { readonly send: Carry; readonly close: () => void } {
  const pools = new Map<string, PlainPool>()
  const { connectMs } = setting.times
  const poolOf = (url: URL): PlainPool => {
    const known = pools.get(url.host)
    if (known !== undefined) return known
    const place = { host: hostOf(url), port: Number(url.port || 80) }
    const pool = createPool({ ...place, connectMs, quietMs, mostConnections })
    pools.set(url.host, pool)
    return pool
  }
  return {
    send: (request) => sendPlain(request, poolOf(request.url)),
    close: () => {
      for (const pool of pools.values()) pool.close()
    },
  }
}

function sendPlain({ url, headers, body = "", ...request }: HttpRequest, pool: PlainPool): () => void {
  let isSent = false
  return pool.carry({
    bytes: requestBytes({ host: url.host, path: url.pathname + url.search, headers, body }),
    onReady: () => {
      isSent = true
      request.onSent?.()
    },
    onAnswer: request.onAnswer,
    onFail: (cause, reused) => request.onFail(isSent ? cutOff(cause) : unreachable(url, cause), isSent && reused),
  })
}

type Agents = { readonly of: (protocol: string) => HttpAgent; readonly close: () => void }

/** Made when first needed: whoever reaches no server by TLS does not load it. */
function agents(maxSockets: number): Agents {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: mostConnections, timeout: quietMs }
  let http: HttpAgent | undefined
  let https: HttpsAgent | undefined
  return {
    of: (protocol) => {
      if (protocol === "https:") {
        https ??= new HttpsAgent(options)
        return https
      }
      http ??= new HttpAgent(options)
      return http
    },
    close: () => {
      http?.destroy()
      https?.destroy()
    },
  }
}

function sendByNode(request: HttpRequest, agent: Agents, setting: Setting): () => void {
  const { url, body } = request
  const open = url.protocol === "https:" ? httpsRequest : httpRequest
  const outgoing = open({
    protocol: url.protocol,
    hostname: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    method: request.method,
    headers: body === undefined ? request.headers : { ...request.headers, "content-length": Buffer.byteLength(body) },
    agent: agent.of(url.protocol),
  })
  let over = false
  const sent = watchSending(outgoing, setting.times.connectMs, request.onSent)
  outgoing.on("response", (answer) => {
    over = true
    request.onAnswer(answerOf(answer))
  })
  outgoing.on("error", (cause: NodeJS.ErrnoException) => {
    if (over) return
    over = true
    request.onFail(sent() ? cutOff(cause) : unreachable(url, cause), sent() && outgoing.reusedSocket)
  })
  outgoing.end(body)
  return () => {
    over = true
    outgoing.on("error", () => {})
    outgoing.destroy()
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
}

// Tells when the first byte can leave; until then a failure means that nothing was sent.
function watchSending(outgoing: ClientRequest, connectMs: number, onSent: (() => void) | undefined): () => boolean {
  let sent = false
  const ready = () => {
    sent = true
    onSent?.()
  }
  outgoing.once("socket", (socket) => {
    if (!socket.connecting) return ready()
    const late = setTimeout(() => outgoing.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })), connectMs)
    outgoing.once("close", () => clearTimeout(late))
    socket.once("encrypted" in socket ? "secureConnect" : "connect", () => {
      clearTimeout(late)
      ready()
    })
  })
  return () => sent
}

// Configured credentials are for the configured origin and no other.
function redirect(answer: HttpAnswer, request: HttpRequest, hops: number): URL | LinkError | undefined {
  const { status } = answer
  if (status < 300 || status > 399) return undefined
  const location = answer.header("location")
  if (location === undefined) return undefined
  const target = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined
  const keepsMethod = status === 307 || status === 308 || request.method === "GET"
  if (target?.origin === request.url.origin && keepsMethod && hops < 3) return target
  const where = target === undefined ? "another address" : target.origin
  return new LinkError(
    "unreachable",
    `The server sends requests on to ${where}. Write the address it means into the configuration.`,
    { cause: { status } },
  )
}

function unreachable(url: URL, cause: NodeJS.ErrnoException): LinkError {
  const why = reasons.get(cause.code ?? "") ?? `the connection failed (${cause.code ?? cause.message})`
  return new LinkError("unreachable", `The server at ${url.host} cannot be reached: ${why}.`, { cause })
}

function cutOff(cause: NodeJS.ErrnoException): LinkError {
  const why = `The connection to the server broke before its answer came (${cause.code ?? cause.message}).`
  return new LinkError("cut-off", `${why} Whether it did anything is not known.`, { cause })
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing listens there. Start it, or correct its address"],
  ["ENOTFOUND", "its name is not known. Correct its address"],
  ["EAI_AGAIN", "its name could not be looked up. Check the network"],
  ["ETIMEDOUT", "the connection took too long. Check the network and its address"],
])
