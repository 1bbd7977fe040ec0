import { once } from "node:events"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import type { HttpAnswer } from "../upstream/http/http-answer.ts"
import { type ConnectionPool, createConnectionPool } from "./connection-pool.ts"

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
const closing: Array<() => void> = []

afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers as it is told; it counts connections and requests. */
async function serve(answer: (socket: Socket, request: string) => void) {
  const sockets: Socket[] = []
  const requests: string[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on("error", () => {})
    socket.on("data", (bytes) => {
      requests.push(bytes.toString())
      answer(socket, bytes.toString())
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, sockets, requests }
}

type More = { readonly quietMs?: number; readonly mostFree?: number; readonly onEnded?: () => void }

function poolTo(port: number, more: More = {}): ConnectionPool {
  const pool = createConnectionPool({
    host: "127.0.0.1",
    port,
    connectMs: 5_000,
    quietMs: 4_000,
    mostFree: 8,
    onEnded: () => {},
    ...more,
  })
  closing.push(pool.close)
  return pool
}

type Came = { readonly body?: string; readonly complete?: boolean; readonly failed?: string; readonly reused?: boolean }

function carry(pool: ConnectionPool, bytes = "POST / HTTP/1.1\r\n\r\n"): Promise<Came> & { readonly stop: () => void } {
  let stop = () => {}
  const came = new Promise<Came>((resolve) => {
    stop = pool.carry({
      bytes,
      onReady: () => true,
      onAnswer: (answer: HttpAnswer) => {
        let body = ""
        answer.read({
          onChunk: (chunk) => {
            body += chunk.toString()
          },
          onClose: (complete) => resolve({ body, complete }),
        })
      },
      onFail: (cause, reused) => resolve({ failed: cause.code ?? "", reused }),
    })
  })
  return Object.assign(came, { stop })
}

describe("the connections to a server", () => {
  it("are used again, one request at a time", async () => {
    const server = await serve((socket) => socket.write(ok))
    const pool = poolTo(server.port)
    for (let n = 0; n < 3; n++) expect(await carry(pool)).toEqual({ body: "ok", complete: true })
    expect(server.sockets).toHaveLength(1)
    await Promise.all([carry(pool), carry(pool)])
    expect(server.sockets).toHaveLength(2)
  })

  it("I1: are closed after use when enough of them are free", async () => {
    const server = await serve((socket) => socket.write(ok))
    const pool = poolTo(server.port, { mostFree: 2 })
    await Promise.all(Array.from({ length: 5 }, () => carry(pool)))
    expect(server.sockets).toHaveLength(5)
    await expect.poll(() => server.sockets.filter(({ closed }) => closed).length).toBe(3)
    await Promise.all([carry(pool), carry(pool)])
    expect(server.sockets).toHaveLength(5)
  })

  it("I2: carry nothing that was stopped before they stood", async () => {
    const server = await serve((socket) => socket.write(ok))
    const pool = poolTo(server.port)
    carry(pool, "stopped").stop()
    await carry(pool, "sent")
    expect(server.requests).toEqual(["sent"])
  })

  it("are not used again when the server closed them, says that it will, or spoke unasked", async () => {
    const ends = [
      (socket: Socket) => socket.end(ok),
      (socket: Socket) => socket.write(ok.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n")),
      (socket: Socket) => socket.write(`${ok}HTTP/1.1 200 OK\r\n\r\n`),
      (socket: Socket) => socket.write(ok.replace("\r\n\r\n", "\r\nkeep-alive: timeout=1\r\n\r\n")),
    ]
    for (const end of ends) {
      const server = await serve((socket) => end(socket))
      const pool = poolTo(server.port)
      await carry(pool)
      const [socket] = server.sockets
      if (end === ends[0] && socket?.closed === false) await once(socket, "close")
      expect(await carry(pool)).toEqual({ body: "ok", complete: true })
      expect(server.sockets).toHaveLength(2)
    }
  })

  it("close when they were quiet too long", async () => {
    const server = await serve((socket) => socket.write(ok))
    const pool = poolTo(server.port, { quietMs: 40 })
    await carry(pool)
    const [socket] = server.sockets
    if (socket?.closed === false) await once(socket, "close")
    expect(await carry(pool)).toEqual({ body: "ok", complete: true })
  })

  it("tell a break before the answer from one within it, and whether it had been used before", async () => {
    let answers = 0
    const server = await serve((socket, request) => {
      if (request === "fine") socket.write(ok)
      else if (request === "half") socket.write(ok.slice(0, -1), () => socket.destroy())
      else if (request === "garbage") socket.write("garbage\r\n\r\n")
      else socket.destroy()
      answers++
    })
    const pool = poolTo(server.port)
    expect(await carry(pool, "cut")).toEqual({ failed: expect.any(String), reused: false })
    await carry(pool, "fine")
    expect(await carry(pool, "cut")).toEqual({ failed: expect.any(String), reused: true })
    expect(await carry(pool, "half")).toEqual({ body: "o", complete: false })
    expect(await carry(pool, "garbage")).toEqual({ failed: "EBADMSG", reused: false })
    expect(answers).toBe(5)
  })

  it("one that was stopped tells nothing, and takes no other request down", async () => {
    const server = await serve((socket, request) => (request === "slow" ? undefined : socket.write(ok)))
    const pool = poolTo(server.port)
    const done = carry(pool, "fast")
    await done
    done.stop()
    const slow = carry(pool, "slow")
    await expect.poll(() => server.requests).toEqual(["fast", "slow"])
    expect(server.sockets).toHaveLength(1)
    slow.stop()
    expect(await Promise.race([slow, carry(pool, "fast")])).toEqual({ body: "ok", complete: true })
  })

  it("cannot be opened where nobody listens", async () => {
    const server = await serve(() => {})
    closing.pop()?.()
    expect(await carry(poolTo(server.port))).toEqual({ failed: "ECONNREFUSED", reused: false })
  })
})
