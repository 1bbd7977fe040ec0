/**
 * Answers POSTs of the one shape that comes by the thousand without node:http: they are read from the connection and answered on it
 * directly (docs/decisions/0017-the-fast-path.md). Everything else is node's.
 *
 * I1. Only what comes from this machine, to an address that only this machine reaches, takes the fast path.
 * I2. A request that began here and ends with node has no more time than one that is node's from the start.
 * I3. One whose head came here is not forgotten in between: it goes with node's request, or is told that it never comes.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { ComingMessage, NodeRequest } from "../downstream/front-message.ts"
import { type FastAnswer, type FastConnection, type FastShared, openFastConnection } from "./fast-connection.ts"
import { isLoopbackAddress } from "./loopback.ts"

export type FastPath = {
  readonly closeIdle: () => void
  readonly closeAll: () => void
}

/** For a server whose connections are all node's. */
export const noFastPath: FastPath = { closeIdle: () => {}, closeAll: () => {} }

/** How often slow and quiet connections are looked for. */
const defaultSweepMs = 1_000

export function attachFastPath(
  server: Server,
  answer: FastAnswer,
  {
    comes = () => null,
    sweepMs = defaultSweepMs,
  }: Partial<Pick<FastShared, "comes"> & { readonly sweepMs: number }> = {},
): FastPath {
  const connections = new Set<FastConnection>()
  const handedOver = new Map<Socket, HandedOver>()
  const timeouts = () => ({ headMs: server.headersTimeout, requestMs: server.requestTimeout })
  const shared: FastShared = { answer, comes, timeouts, waitingBytes: 0 }
  const takeOver = server.listeners("connection") as Array<(socket: Socket) => void>
  const toNode = (socket: Socket): void => {
    for (const listener of takeOver) listener.call(server, socket)
  }
  const watch = (socket: Socket, begunAt: number, coming: ComingMessage | null): void => {
    handedOver.set(socket, { begunAt, request: null, coming })
    socket.once("close", () => {
      handedOver.delete(socket)
      coming?.done()
    })
  }
  server.removeAllListeners("connection")
  server.on("connection", (socket: Socket) => {
    if (!isLocal(server, socket)) return toNode(socket)
    const connection = openFastConnection(socket, shared, (how) => {
      connections.delete(connection)
      if (!how.toNode) return
      if (how.coming !== null || performance.now() - how.begunAt > sweepMs) watch(socket, how.begunAt, how.coming)
      toNode(socket)
    })
    connections.add(connection)
  })
  // Before whoever answers it.
  server.prependListener("request", (request: NodeRequest, response: ServerResponse) => {
    const unfinished = handedOver.get(request.socket)
    if (unfinished === undefined || unfinished.request !== null) return
    unfinished.request = request
    const { coming } = unfinished
    if (coming === null) return
    request.coming = coming
    response.once("close", coming.done)
  })
  const sweeper = setInterval(() => {
    const now = performance.now()
    for (const connection of connections) connection.sweep(now)
    for (const [socket, unfinished] of handedOver) {
      if (unfinished.request?.complete === true) handedOver.delete(socket)
      else if (isLate(unfinished, now - unfinished.begunAt, server)) socket.destroy()
    }
  }, sweepMs).unref()
  server.on("close", () => clearInterval(sweeper))
  return {
    closeIdle: () => {
      for (const { isIdle, socket } of connections) if (isIdle()) socket.destroy()
    },
    closeAll: () => {
      for (const { socket } of connections) socket.destroy()
    },
  }
}

/** A request that had come slowly before its connection was given to node, whose clock began only then. */
type HandedOver = {
  readonly begunAt: number
  readonly coming: ComingMessage | null
  request: IncomingMessage | null
}

function isLate({ request }: HandedOver, age: number, { headersTimeout, requestTimeout }: Server): boolean {
  return (
    (request === null && headersTimeout > 0 && age > headersTimeout) || (requestTimeout > 0 && age > requestTimeout)
  )
}

function isLocal(server: Server, socket: Socket): boolean {
  const bound = server.address()
  if (bound === null || typeof bound === "string") return false
  return isLoopbackAddress(bound.address) && isLoopbackAddress(socket.remoteAddress)
}
