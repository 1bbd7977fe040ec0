/**
 * The short way of requests that come by the thousand: POSTs of one known shape are read from the connection and answered on it
 * directly. A connection that says anything else is node's from its first unusual byte on, with everything it has not read yet, and stays
 * node's. Each connection has one request at a time; what a client sends meanwhile waits.
 */
import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { Arrived, FrontResponse } from "./front-message.ts"
import { longestPost, type PostHead, readPost } from "./plain-post.ts"
import { PlainResponse, quietMs } from "./plain-response.ts"

export type ShortWay = {
  readonly closeIdle: () => void
  readonly closeAll: () => void
}

type Answer = (request: Arrived, response: FrontResponse) => boolean

type Lane = { readonly isIdle: () => boolean; readonly sweep: (now: number) => void; readonly socket: Socket }

/** Whoever sends a request in pieces is node's after this, which knows how long to wait. */
const piecesMs = 2_000
const sweepMs = 1_000

/** `answer` says false when the request is not for it: then it is node's. */
export function takeShortWay(server: Server, answer: Answer): ShortWay {
  const lanes = new Set<Lane>()
  const takeOver = server.listeners("connection") as Array<(socket: Socket) => void>
  const toNode = (socket: Socket): void => {
    for (const listener of takeOver) listener.call(server, socket)
  }
  server.removeAllListeners("connection")
  server.on("connection", (socket: Socket) => {
    const lane = openLane(socket, answer, (left) => {
      lanes.delete(lane)
      if (left) toNode(socket)
    })
    lanes.add(lane)
  })
  const sweeper = setInterval(() => {
    const now = performance.now()
    for (const lane of lanes) lane.sweep(now)
  }, sweepMs).unref()
  server.on("close", () => clearInterval(sweeper))
  return {
    closeIdle: () => {
      for (const { isIdle, socket } of lanes) if (isIdle()) socket.destroy()
    },
    closeAll: () => {
      for (const { socket } of lanes) socket.destroy()
    },
  }
}

function openLane(socket: Socket, answer: Answer, onLeave: (toNode: boolean) => void): Lane {
  let waiting: Buffer | null = null
  let known: PostHead | null = null
  let running: PlainResponse | null = null
  let since = performance.now()
  socket.setNoDelay(true)
  socket.on("data", take)
  socket.on("end", ended)
  socket.on("error", ignore)
  socket.on("close", closed)
  return { socket, isIdle: () => running === null, sweep }

  function take(bytes: Buffer): void {
    since = performance.now()
    waiting = waiting === null ? bytes : Buffer.concat([waiting, bytes])
    if (running === null) next()
    else if (waiting.length > longestPost) socket.pause()
  }

  function next(): void {
    if (waiting === null) return
    const read = readPost(waiting, known)
    if (read.kind === "partial") return
    if (read.kind === "post" && begin(read.request)) {
      known = read.head
      waiting = waiting.length === read.length ? null : waiting.subarray(read.length)
    } else leave()
  }

  function begin(request: Arrived): boolean {
    const response = new PlainResponse(socket, over)
    running = response
    const isTaken = answer(request, response)
    if (!isTaken) running = null
    return isTaken
  }

  function over(): void {
    running = null
    since = performance.now()
    if (socket.destroyed || socket.writableEnded) return
    if (socket.isPaused()) socket.resume()
    if (waiting !== null) next()
  }

  /** Node's from here on, beginning with what was not answered. */
  function leave(): void {
    socket.off("data", take)
    socket.off("end", ended)
    socket.off("error", ignore)
    socket.off("close", closed)
    socket.pause()
    if (waiting !== null) socket.unshift(waiting)
    waiting = null
    onLeave(true)
    socket.resume()
  }

  /** A client that will say no more does not wait for an answer either: so it is with node's own. */
  function ended(): void {
    socket.end()
    running?.lost()
  }

  function closed(): void {
    running?.lost()
    onLeave(false)
  }

  function sweep(now: number): void {
    if (running !== null) return
    if (waiting !== null && now - since > piecesMs) leave()
    else if (waiting === null && now - since > quietMs) socket.destroy()
  }
}

function ignore(): void {
  // What follows an error is a close, which says all there is to say.
}
