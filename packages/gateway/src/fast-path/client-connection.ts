import { connect } from "node:net"
import type { BodyReader, HttpAnswer } from "../upstream/http/http-answer.ts"
import { createResponseReader, type ResponseHead } from "./response-reader.ts"

export type PostExchange = {
  readonly bytes: string | Buffer
  /** The connection stands, and the request is about to be written. False: it is not, the connection ends, and the exchange is told nothing more. */
  readonly onReady: () => boolean
  readonly onAnswer: (answer: HttpAnswer) => void
  /** No answer. `reused`: an earlier exchange went over the same connection. */
  readonly onFail: (cause: NodeJS.ErrnoException, reused: boolean) => void
}

export type ClientConnection = {
  /** Only of a connection that is free. */
  readonly carry: (exchange: PostExchange) => void
  /** Whether it is free and has not been quiet for so long that the server may be closing it. */
  readonly isFresh: (now: number) => boolean
  /** Ends the connection if this is what it carries now, and tells the exchange nothing more. */
  readonly stop: (exchange: PostExchange) => void
  /** Ends it as if it had broken. */
  readonly destroy: () => void
}

export type ConnectionPorts = {
  readonly host: string
  readonly port: number
  readonly connectMs: number
  /** A quiet connection is used no more after this. */
  readonly quietMs: number
  readonly onFree: () => void
  readonly onGone: () => void
}

/** Read at once, into the same place: memory that node takes for each read costs more to give back than the copy of what came. */
const readBytes = 16 * 1024

/** One connection: a request goes out, its answer comes back, and then it is free for the next. */
export function openClientConnection(ports: ConnectionPorts): ClientConnection {
  const onread = { buffer: Buffer.allocUnsafeSlow(readBytes), callback: received }
  const socket = connect({ host: ports.host, port: ports.port, noDelay: true, keepAlive: true, onread })
  let late: NodeJS.Timeout | undefined = setTimeout(() => socket.destroy(withCode("ETIMEDOUT")), ports.connectMs)
  let isOpen = false
  let isEnded = false
  let isGone = false
  let exchange: PostExchange | null = null
  let body: BodyReader | "unread" | null = null
  let carried = 0
  let cause: NodeJS.ErrnoException | null = null
  let quietMs = ports.quietMs
  let freeSince = 0
  /** What can be done with an answer is the same for all that come over this connection. */
  const answering: Omit<HttpAnswer, "status" | "header"> = {
    read: (given) => {
      body = given
    },
    discard: () => {},
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => socket.destroy(),
  }
  const reader = createResponseReader({ onHead: headCame, onChunk: chunkCame, onEnd: ended })

  socket.on("connect", () => {
    clearTimeout(late)
    late = undefined
    isOpen = true
    write()
  })
  socket.on("end", () => {
    isEnded = true
    gone()
  })
  socket.on("error", (error) => {
    cause ??= error
  })
  socket.on("close", () => {
    clearTimeout(late)
    gone()
    broken()
  })

  function received(length: number, buffer: Uint8Array): boolean {
    // Unrequested bytes belong to no request; the next response could not be told from them.
    if (exchange === null) socket.destroy()
    else {
      const problem = reader.feed(Buffer.from(buffer.subarray(0, length)))
      if (problem !== null) socket.destroy(withCode("EBADMSG", problem))
    }
    return true
  }

  function write(): void {
    if (exchange === null) return
    const mayBeWritten = exchange.onReady()
    // It may have been stopped just now.
    if (exchange === null) return
    if (mayBeWritten) socket.write(exchange.bytes)
    else stop(exchange)
  }

  function stop(stopped: PostExchange): void {
    if (exchange !== stopped) return
    forget()
    socket.destroy()
  }

  function gone(): void {
    if (isGone) return
    isGone = true
    ports.onGone()
  }

  function broken(): void {
    if (isEnded && cause === null && reader.close()) return
    const [lost, unread] = [exchange, body]
    forget()
    if (unread === null) lost?.onFail(cause ?? withCode("ECONNRESET", "socket hang up"), carried > 1)
    else if (unread !== "unread") unread.onClose(false)
  }

  function forget(): void {
    exchange = null
    body = null
  }

  function headCame(head: ResponseHead): void {
    if (exchange === null) return
    body = "unread"
    quietMs = quietTime(head, ports.quietMs)
    exchange.onAnswer({ ...answering, status: head.status, header: (name) => head.headers.get(name) })
  }

  function chunkCame(chunk: Buffer): void {
    if (body !== null && body !== "unread" && !socket.destroyed) body.onChunk(chunk)
  }

  function ended(reusable: boolean): void {
    const read = body
    const isComplete = !socket.destroyed
    forget()
    // An answer that came before all of the request was sent leaves a rest of it on the way.
    if (reusable && isComplete && socket.writableLength === 0) becomeFree()
    else socket.destroy()
    if (read !== null && read !== "unread") read.onClose(isComplete)
  }

  function becomeFree(): void {
    freeSince = performance.now()
    socket.unref()
    ports.onFree()
  }

  return {
    carry: (next) => {
      exchange = next
      carried++
      if (!isOpen) return
      socket.ref()
      write()
    },
    isFresh: (now) => !isGone && !socket.destroyed && now - freeSince < quietMs,
    stop,
    destroy: () => socket.destroy(),
  }
}

/** How long a connection may be quiet: a server that says how long it keeps one is believed, with a second to spare. */
function quietTime({ headers }: ResponseHead, quietMs: number): number {
  const said = headers.get("keep-alive")
  const seconds = said === undefined ? undefined : /(?:^|[\s,;])timeout=(\d{1,6})/i.exec(said)?.[1]
  return seconds === undefined ? quietMs : Math.min(quietMs, Math.max(0, Number(seconds) * 1000 - 1_000))
}

function withCode(code: string, message = ""): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}
