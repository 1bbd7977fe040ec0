/**
 * One connection of the fast path: requests are read as they come, and answered in their order.
 *
 * I1. A request has the time that node's server gives it, counted from its first byte; no later byte gives it more.
 * I2. A connection is node's from its first unusual byte on, with everything that was not answered yet.
 * I3. What waits to be read is bounded: of one connection, and of all of them together.
 * I4. Where a head comes before the rest of its message, that is said at once, and once; so is it when the message never comes. It goes on counting as coming
 *     where its connection becomes node's.
 * I5. A request begins while those before it are answered, as with node: what cancels one of them does not wait for it. Answers that have to wait are bounded.
 */
import type { Socket } from "node:net"
import type { Arrived, ComingMessage, FrontResponse } from "../downstream/front-message.ts"
import { FastResponse, quietMs } from "./fast-response.ts"
import { longestPost, type PostHead, readPost } from "./read-post.ts"

export type FastConnection = {
  readonly socket: Socket
  readonly isIdle: () => boolean
  /** Ends it when the request it waits for took too long to arrive, or it was quiet too long. */
  readonly sweep: (now: number) => void
}

/** False: the request is not for the fast path, and is node's. */
export type FastAnswer = (request: Arrived, response: FrontResponse) => boolean

export type FastShared = {
  readonly answer: FastAnswer
  /** The head of a message has come before the rest of it; what is returned goes with the message, or is told that it never comes. */
  readonly comes: (headers: Arrived["headers"]) => ComingMessage | null
  /** How long a head and a whole request may take to arrive; 0: as long as they want. */
  readonly timeouts: () => { readonly headMs: number; readonly requestMs: number }
  /** Bytes of requests that are not whole yet, of all connections. */
  waitingBytes: number
}

/** Why the fast path is done with a connection: it is closed, or node's, with a request whose first byte came at `begunAt`, and whose head was said to have come. */
export type FastEnd =
  | { readonly toNode: true; readonly begunAt: number; readonly coming: ComingMessage | null }
  | { readonly toNode: false }

/** Of all connections together: more than this is node's, which reads no body before it knows who sends it. */
export const mostWaitingBytes = 32 * 1024 * 1024

/** Joined beyond that: bytes that come one by one would take up a hundred times their room. */
const mostPieces = 64

/** Of answers behind others on one connection, in characters: beyond it, no more requests begin there. */
const mostKept = 64 * 1024

const tooSlow = "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n"

export function openFastConnection(socket: Socket, shared: FastShared, onEnd: (how: FastEnd) => void): FastConnection {
  let pieces: Buffer[] = []
  let size = 0
  /** Reading again is of no use before this many bytes are there. */
  let needed = 0
  let known: PostHead | null = null
  let running: FastResponse | null = null
  /** Those that are answered behind it, in their order. */
  let behind: FastResponse[] = []
  /** What comes next is node's, once all are answered. */
  let isLeaving = false
  let state: "fresh" | "used" | "closing" = "fresh"
  let begunAt = performance.now()
  let hasHead = false
  let coming: ComingMessage | null = null
  socket.setNoDelay(true)
  socket.on("data", take)
  socket.on("end", ended)
  socket.on("error", ignore)
  socket.on("close", closed)
  return { socket, isIdle: () => running === null, sweep }

  function take(bytes: Buffer): void {
    if (state === "closing") return
    if (size === 0) {
      begunAt = performance.now()
      pieces = [bytes]
    } else pieces.push(bytes)
    hold(size + bytes.length)
    if (pieces.length > mostPieces) whole()
    if (size >= needed) next()
    else if (isFull()) leave()
    if (running !== null && (size > longestPost || isFull())) socket.pause()
  }

  function mayNotBegin(): boolean {
    return isLeaving || behind.reduce((kept, { keptLength }) => kept + keptLength, 0) > mostKept
  }

  function hold(bytes: number): void {
    shared.waitingBytes += bytes - size
    size = bytes
  }

  function isFull(): boolean {
    return shared.waitingBytes > mostWaitingBytes
  }

  function whole(): Buffer {
    const [first] = pieces
    if (pieces.length === 1 && first !== undefined) return first
    const joined = Buffer.concat(pieces, size)
    pieces = [joined]
    return joined
  }

  function next(): void {
    while (size > 0 && size >= needed && (running === null || !mayNotBegin())) {
      if (!readNext()) return
    }
  }

  /** False: nothing more can be read now. */
  function readNext(): boolean {
    const bytes = whole()
    const read = readPost(bytes, known)
    if (read.kind === "partial") {
      hasHead = read.whole !== null
      needed = read.whole?.length ?? 0
      if (read.whole !== null) coming ??= shared.comes(read.whole.head.headers)
      if (isFull()) leave()
      return false
    }
    if (read.kind === "post" && begin(coming === null ? read.request : { ...read.request, coming })) {
      known = read.head
      coming = null
      state = "used"
      needed = 0
      hasHead = false
      pieces = bytes.length === read.length ? [] : [bytes.subarray(read.length)]
      hold(bytes.length - read.length)
      begunAt = performance.now()
      return true
    }
    leave()
    return false
  }

  function begin(request: Arrived): boolean {
    const isBehind = running !== null
    const response = new FastResponse(socket, over, isBehind)
    if (isBehind) behind.push(response)
    else running = response
    const isTaken = shared.answer(request, response)
    if (isTaken) return true
    if (isBehind) behind.pop()
    else running = null
    return false
  }

  function over(): void {
    running = null
    // Bytes that came while a request ran could not be read yet: their time begins now.
    begunAt = performance.now()
    if (socket.destroyed || socket.writableEnded) return
    running = behind.shift() ?? null
    running?.goOn()
    if (socket.isPaused()) socket.resume()
    if (isLeaving) leave()
    else next()
  }

  function leave(): void {
    isLeaving = running !== null
    if (isLeaving) return
    socket.off("data", take)
    socket.off("end", ended)
    socket.off("error", ignore)
    socket.off("close", closed)
    socket.pause()
    if (size > 0) socket.unshift(whole())
    const handed = coming
    coming = null
    forget()
    onEnd({ toNode: true, begunAt, coming: handed })
    socket.resume()
  }

  function forget(): void {
    hold(0)
    pieces = []
    coming?.done()
    coming = null
  }

  /** A client that will say no more does not wait for an answer either: so it is with node's own. */
  function ended(): void {
    socket.end()
    lost()
  }

  function lost(): void {
    const all = running === null ? behind : [running, ...behind]
    behind = []
    for (const response of all) response.lost()
  }

  function closed(): void {
    forget()
    lost()
    onEnd({ toNode: false })
  }

  function sweep(now: number): void {
    if (state === "closing") return void socket.destroy()
    if (running !== null) return
    const { headMs, requestMs } = shared.timeouts()
    const age = now - begunAt
    // A connection that never said anything has as long as a head.
    if (size === 0 && state === "used") {
      if (age > quietMs) socket.destroy()
    } else if ((!hasHead && isOver(age, headMs)) || isOver(age, requestMs)) refuse()
  }

  function refuse(): void {
    state = "closing"
    forget()
    socket.end(tooSlow, () => socket.destroy())
  }
}

function isOver(age: number, limitMs: number): boolean {
  return limitMs > 0 && age > limitMs
}

function ignore(): void {
  // A close follows every error, and is handled there.
}
