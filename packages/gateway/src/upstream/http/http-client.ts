/**
 * A lean HTTP client for one server: keep-alive connections of its own, no redirects to other origins, and a clear line between
 * "nothing was sent" and "something may have been". Posts over plain HTTP to this machine, which is what calls
 * mostly are, go over connections that know just that (`fast-path`), at half of what node:http's client costs; everything else goes over
 * node:http.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import type { Socket } from "node:net"
import { type ConnectionPool, createConnectionPool } from "../../fast-path/connection-pool.ts"
import { isLoopbackHost } from "../../fast-path/loopback.ts"
import { isPlain, writePost } from "../../fast-path/write-post.ts"
import { isOutdated, LinkError, type MayLeave, outdated } from "../link.ts"
import type { Setting } from "../upstream-options.ts"
import { answerOf, type HttpAnswer } from "./http-answer.ts"

export type HttpRequest = {
  readonly method: "POST" | "GET" | "DELETE"
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** May do something at the server, so it is sent once and to one address. */
  readonly once?: boolean
  /** As of a link's request. */
  readonly mayLeave?: MayLeave | undefined
  /** The server wants such requests at another address of its origin, whether or not this one was sent on to it. */
  readonly onMoved?: (url: URL) => void
  readonly onAnswer: (answer: HttpAnswer) => void
  /** No answer. `stale`: the connection had been used before and broke before a byte came back. */
  readonly onFail: (error: LinkError, stale: boolean) => void
}

export type HttpClient = {
  /** Sends; the returned function ends the exchange, silently. */
  readonly send: (request: HttpRequest) => () => void
  /** Tells when the server ended a connection that was kept for the next request; returns how to stop. */
  readonly watch: (onEnded: () => void) => () => void
  readonly close: () => void
}

/** Of connections that carry nothing. How many carry something is for `take-turns.ts` to say. */
const mostFree = 256
// Shorter than what common servers keep a quiet connection for, so that a call seldom meets one that is just being closed.
const quietMs = 4_000

export function createHttpClient(setting: Setting): HttpClient {
  const watchers = new Set<() => void>()
  const ended = (): void => {
    for (const tell of [...watchers]) tell()
  }
  const byNode = agents(ended)
  const plain = createPlainPosts(setting, ended)
  const carry: Carry = (request, onAnswer) => {
    try {
      const isFast = setting.fastPath && request.method === "POST" && plain.takes(request)
      return isFast ? plain.send(request, onAnswer) : sendByNode(request, onAnswer, byNode, setting)
    } catch (cause) {
      return failSoon(request, cause)
    }
  }
  return {
    send: (request) => send(request, carry, 0),
    watch: (onEnded) => {
      const own = (): void => onEnded()
      watchers.add(own)
      return () => watchers.delete(own)
    },
    close: () => {
      watchers.clear()
      byNode.close()
      plain.close()
    },
  }
}

/** A request that cannot be written, such as one with an invalid header, was not sent. The failure is reported like any other: after the caller has the function to end it. */
function failSoon({ url, onFail }: HttpRequest, cause: unknown): () => void {
  const why = cause instanceof Error ? cause.message : "it cannot be written"
  const error = new LinkError("unreachable", `Nothing was sent to ${url.host}: ${why}.`, { cause })
  const soon = setImmediate(() => onFail(error, false))
  return () => clearImmediate(soon)
}

/** Sends one request to just the address it names; `onAnswer` hears of the answer in place of the request's own. */
type Carry = (request: HttpRequest, onAnswer: HttpRequest["onAnswer"]) => () => void

/** Follows where a server sends us on to, if both the server and the request may be followed there. */
function send(request: HttpRequest, carry: Carry, hops: number): () => void {
  let stop = carry(request, (answer) => {
    const location = redirect(answer)
    if (location === undefined) return request.onAnswer(answer)
    answer.discard()
    const target = sameOriginTarget(location, answer, request)
    if (target !== undefined) request.onMoved?.(target)
    if (target === undefined || request.once === true || hops >= mostHops) {
      request.onFail(sentOn(location, answer, request), false)
    } else stop = send({ ...request, url: target, mayLeave: undefined }, carry, hops + 1)
  })
  return () => stop()
}

type PlainPosts = {
  readonly takes: (request: HttpRequest) => boolean
  readonly send: Carry
  readonly close: () => void
}

/** The parts of a URL, parsed once: a connection sends all its requests to the same one. */
type Address = { readonly href: string; readonly host: string; readonly path: string; readonly isLocal: boolean }

function addressIn(url: URL): Address {
  const { href, host, pathname, search } = url
  return { href, host, path: pathname + search, isLocal: url.protocol === "http:" && isLoopbackHost(host) }
}

function createPlainPosts(setting: Setting, onEnded: () => void): PlainPosts {
  const pools = new Map<string, ConnectionPool>()
  const { connectMs } = setting.times
  let newest: Address | null = null
  const addressOf = (url: URL): Address => {
    if (newest?.href !== url.href) newest = addressIn(url)
    return newest
  }
  const poolOf = (url: URL, host: string): ConnectionPool => {
    const known = pools.get(host)
    if (known !== undefined) return known
    const place = { host: hostOf(url), port: Number(url.port || 80) }
    const pool = createConnectionPool({ ...place, connectMs, quietMs, mostFree, onEnded })
    pools.set(host, pool)
    return pool
  }
  return {
    takes: ({ body, url, headers }) => body !== undefined && addressOf(url).isLocal && isPlain(headers),
    send: (request, onAnswer) => {
      const address = addressOf(request.url)
      return sendPlain(request, onAnswer, address, poolOf(request.url, address.host))
    },
    close: () => {
      for (const pool of pools.values()) pool.close()
    },
  }
}

function sendPlain(
  request: HttpRequest,
  onAnswer: HttpRequest["onAnswer"],
  { host, path }: Address,
  pool: ConnectionPool,
): () => void {
  const { url, headers, body = "", mayLeave, onFail } = request
  let isSent = false
  return pool.carry({
    bytes: writePost({ host, path, headers, body }),
    onReady: () => {
      isSent = mayLeave?.() !== false
      if (!isSent) onFail(outdated(), false)
      return isSent
    },
    onAnswer,
    onFail: (cause, reused) => onFail(isSent ? cutOff(cause) : unreachable(url, cause), isSent && reused),
  })
}

type Agents = {
  readonly of: (protocol: string) => HttpAgent
  readonly watch: (outgoing: ClientRequest) => void
  readonly close: () => void
}

/** Made when first needed: a gateway that reaches no server by TLS does not load it. */
function agents(onEnded: () => void): Agents {
  const options = { keepAlive: true, maxFreeSockets: mostFree, timeout: quietMs }
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
    watch: watchIdle(onEnded),
    close: () => {
      http?.destroy()
      https?.destroy()
    },
  }
}

function sendByNode(
  request: HttpRequest,
  onAnswer: HttpRequest["onAnswer"],
  agent: Agents,
  setting: Setting,
): () => void {
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
  agent.watch(outgoing)
  let over = false
  const sent = watchSending(outgoing, setting.times.connectMs, request.mayLeave)
  outgoing.on("response", (answer) => {
    over = true
    onAnswer(answerOf(answer))
  })
  outgoing.on("error", (cause: NodeJS.ErrnoException) => {
    if (over) return
    over = true
    if (isOutdated(cause)) request.onFail(outdated(), false)
    else request.onFail(sent() ? cutOff(cause) : unreachable(url, cause), sent() && outgoing.reusedSocket)
  })
  outgoing.end(body)
  return () => {
    over = true
    outgoing.on("error", () => {})
    outgoing.destroy()
  }
}

/** Tells of connections that end while they carry nothing, unless they were quiet for so long that we end them. */
function watchIdle(onEnded: () => void): (outgoing: ClientRequest) => void {
  const idle = new WeakSet<Socket>()
  const known = new WeakSet<Socket>()
  const watchSocket = (socket: Socket): void => {
    known.add(socket)
    socket.once("timeout", () => idle.delete(socket))
    socket.once("close", () => {
      if (idle.has(socket)) onEnded()
    })
  }
  return (outgoing) => {
    outgoing.once("socket", (socket) => {
      idle.delete(socket)
      if (!known.has(socket)) watchSocket(socket)
      outgoing.once("close", () => {
        if (outgoing.shouldKeepAlive && !socket.destroyed) idle.add(socket)
      })
    })
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
}

// Tells when the first byte can leave; until then a failure means that nothing was sent.
function watchSending(outgoing: ClientRequest, connectMs: number, mayLeave: MayLeave | undefined): () => boolean {
  let sent = false
  const ready = () => {
    sent = mayLeave?.() !== false
    if (!sent) outgoing.destroy(outdated())
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

const mostHops = 3

function redirect(answer: HttpAnswer): string | undefined {
  return answer.status < 300 || answer.status > 399 ? undefined : answer.header("location")
}

// Configured credentials are for the configured origin and no other.
function sameOriginTarget(location: string, { status }: HttpAnswer, { url, method }: HttpRequest): URL | undefined {
  const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined
  const keepsMethod = status === 307 || status === 308 || method === "GET"
  return target?.origin === url.origin && keepsMethod ? target : undefined
}

// Servers send a client on after they did something, too (303), so only what does nothing is known to have failed.
function sentOn(location: string, { status }: HttpAnswer, { url, once }: HttpRequest): LinkError {
  const where = URL.canParse(location, url.href) ? new URL(location, url).origin : "another address"
  const what = `The server sends requests on to ${where} (HTTP ${status}). Write the address it means into the configuration.`
  const cause = { status }
  if (once !== true) return new LinkError("unreachable", what, { cause })
  return new LinkError("cut-off", `${what} Nothing was sent there; whether the server did anything is not known.`, {
    cause,
  })
}

function unreachable(url: URL, cause: NodeJS.ErrnoException): LinkError {
  const why = reasons.get(cause.code ?? "") ?? `the connection failed (${cause.code ?? cause.message})`
  return new LinkError("unreachable", `The server at ${url.host} is unreachable: ${why}.`, { cause })
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
