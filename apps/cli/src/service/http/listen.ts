import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { namesTwoHosts } from "@byleave/gateway"
import { takeUpgrades, type Upgrades } from "./upgrades.ts"

export type ListenOptions = {
  readonly host: string
  readonly port: number
  /** Where the port is taken, any other will do. */
  readonly orAnyPort: boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  /** At once. Where one more would be too many, idle ones end first. */
  readonly connections: number
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrades?: Upgrades
  /** Answers on plain connections before node has read them; gives what ends those it has taken. */
  readonly attachFastPath?: (server: Server) => { readonly closeIdle: () => void; readonly closeAll: () => void }
}

export type Listening = {
  /** Without a slash at its end. */
  readonly url: string
  /** The address it listens at; a name only where that was asked for and is not `localhost`, which may mean several. */
  readonly host: string
  readonly port: number
  readonly close: () => Promise<void>
}

/** The last answers have this long to arrive. */
const partingMs = 500

/** Listens, and says where. Rejects with a sentence that says what to do. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { upgrades } = options
  const isWanted = (request: IncomingMessage): boolean =>
    upgrades?.isWanted(request) === true && !namesTwoHosts(request.rawHeaders)
  const handle = fewAtOnce(withOneHost(options.handle))
  const asked = upgrades === undefined ? {} : { shouldUpgradeCallback: isWanted }
  const server =
    options.tls === null ? createServer(asked, handle) : createTlsServer({ ...asked, ...options.tls }, handle)
  const upgraded = upgrades === undefined ? undefined : takeUpgrades(server, upgrades)
  limitReading(server)
  const fast = options.tls === null ? options.attachFastPath?.(server) : undefined
  limitConnections(server, options.connections, () => {
    server.closeIdleConnections()
    fast?.closeIdle()
  })
  const { port, address } = await bind(server, options)
  const host = /^localhost$/i.test(options.host) ? address : options.host
  return {
    url: `${options.tls === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    host,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        fast?.closeIdle()
        setTimeout(() => {
          server.closeAllConnections()
          fast?.closeAll()
          upgraded?.closeAll()
        }, partingMs).unref()
      }),
  }
}

/** Hardly any client sends a request before the last one on its connection is answered. */
const mostAtOnce = 16

/**
 * Ends a connection that has sent many requests at once: node hands over all that arrived together, in one go, and nobody else has a turn meanwhile. Those
 * that were taken before are answered as far as they are ready.
 */
function fewAtOnce(handle: ListenOptions["handle"]): ListenOptions["handle"] {
  const open = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    const now = (open.get(socket) ?? 0) + 1
    open.set(socket, now)
    if (now > mostAtOnce || socket.destroyed) return void socket.destroy()
    response.once("close", () => open.set(socket, (open.get(socket) ?? 1) - 1))
    handle(request, response)
  }
}

/** A request with two Hosts is always refused: a proxy before us may have gone by the other one. */
function withOneHost(handle: ListenOptions["handle"]): ListenOptions["handle"] {
  return (request, response) => {
    // A write to a response that is over fails alone, and must not end anything else.
    response.on("error", ignore)
    if (!namesTwoHosts(request.rawHeaders)) return handle(request, response)
    response.writeHead(400, { "content-type": "text/plain", connection: "close" })
    response.end("The request has more than one Host. Send one.\n")
  }
}

function ignore(): void {}

/** A request must arrive whole within this; what it is answered with may take as long as a person takes. */
const arrivalMs = 120_000

/** A client that sends a request byte by byte holds its connection only for a while. */
export function limitReading(server: Server): void {
  server.headersTimeout = 30_000
  server.requestTimeout = arrivalMs
  server.timeout = 0
}

const idleMs = 1_000

/** Idle connections, which a client can open again when it needs them, make room for new ones. */
function limitConnections(server: Server, most: number, closeIdle: () => void): void {
  let closedAt = 0
  server.maxConnections = most
  server.on("drop", () => {
    if (performance.now() - closedAt < idleMs) return
    closedAt = performance.now()
    closeIdle()
  })
}

async function bind(server: Server, { host, port, orAnyPort }: ListenOptions): Promise<AddressInfo> {
  try {
    return await tryPort(server, host, port)
  } catch (cause) {
    if (codeOf(cause) === "EADDRINUSE" && orAnyPort) return tryPort(server, host, 0)
    throw new Error(bindProblem(codeOf(cause), host, port), { cause })
  }
}

function tryPort(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host, port }, () => {
      server.off("error", reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

function bindProblem(code: string, host: string, port: number): string {
  if (code === "EADDRINUSE") return `${host}:${port} is already in use. Choose another port with --port.`
  if (code === "EACCES") return `Not allowed to listen on port ${port}. Choose one above 1023 with --port.`
  return `Cannot listen on ${host}:${port} (${code}). Choose another address with --host.`
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i

export function isLoopback(host: string): boolean {
  return loopback.test(host)
}
