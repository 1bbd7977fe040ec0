/**
 * A lean HTTP client for one server: keep-alive connections of its own, no redirects to other origins, and a clear line between
 * "nothing was sent" and "something may have been".
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { LinkError } from "./link.ts"
import type { Setting } from "./upstream-options.ts"

export type HttpRequest = {
  readonly method: "POST" | "GET" | "DELETE"
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The connection stands and the request is about to be written. */
  readonly onSent?: () => void
  readonly onAnswer: (answer: IncomingMessage) => void
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
  return {
    send: (request) => send(request, request.method === "POST" ? calls : streams, setting, 0),
    close: () => {
      for (const agent of [...calls.values(), ...streams.values()]) agent.destroy()
    },
  }
}

type Agents = ReadonlyMap<string, HttpAgent>

function agents(maxSockets: number): Agents {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: mostConnections, timeout: quietMs }
  return new Map<string, HttpAgent>([
    ["http:", new HttpAgent(options)],
    ["https:", new HttpsAgent(options)],
  ])
}

function send(request: HttpRequest, agent: Agents, setting: Setting, hops: number): () => void {
  const { url, body } = request
  const open = url.protocol === "https:" ? httpsRequest : httpRequest
  const outgoing = open({
    protocol: url.protocol,
    hostname: url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port,
    path: url.pathname + url.search,
    method: request.method,
    headers: body === undefined ? request.headers : { ...request.headers, "content-length": Buffer.byteLength(body) },
    agent: agent.get(url.protocol),
  })
  let stop = () => {
    outgoing.on("error", () => {})
    outgoing.destroy()
  }
  let over = false
  const sent = watchSending(outgoing, setting.times.connectMs, request.onSent)
  outgoing.on("response", (answer) => {
    over = true
    const target = redirect(answer, request, hops)
    if (target === undefined) return request.onAnswer(answer)
    answer.resume()
    if (target instanceof LinkError) request.onFail(target, false)
    else stop = send({ ...request, url: target, onSent: () => {} }, agent, setting, hops + 1)
  })
  outgoing.on("error", (cause: NodeJS.ErrnoException) => {
    if (over) return
    over = true
    request.onFail(sent() ? cutOff(cause) : unreachable(url, cause), sent() && outgoing.reusedSocket)
  })
  outgoing.end(body)
  return () => {
    over = true
    stop()
  }
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
function redirect(answer: IncomingMessage, request: HttpRequest, hops: number): URL | LinkError | undefined {
  const status = answer.statusCode ?? 0
  const { location } = answer.headers
  if (status < 300 || status > 399 || location === undefined) return undefined
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
