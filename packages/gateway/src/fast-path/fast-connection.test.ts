import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { setTimeout as after } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import type { NodeRequest } from "../downstream/front-message.ts"
import { attachFastPath } from "./attach-fast-path.ts"
import { mostWaitingBytes } from "./fast-connection.ts"

const closing: Array<() => unknown> = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Limits = { readonly headMs?: number; readonly requestMs?: number; readonly host?: string }

/** A server whose slow connections are looked for all the time; node itself would look after half a minute. */
async function serve({ headMs = 0, requestMs = 0, host = "127.0.0.1" }: Limits): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end("node"))
  })
  const fast = attachFastPath(
    server,
    (_request, response) => {
      response.writeHead(200, { "content-length": 4 })
      response.end("fast")
      return true
    },
    { sweepMs: 20 },
  )
  server.headersTimeout = headMs
  server.requestTimeout = requestMs
  server.listen(0, host)
  await once(server, "listening")
  closing.push(() => {
    server.closeAllConnections()
    fast.closeAll()
    return new Promise((resolve) => server.close(resolve))
  })
  return server
}

type Client = { readonly socket: Socket; readonly heard: () => string }

async function open(server: Server): Promise<Client> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  let heard = ""
  socket.on("error", () => {})
  socket.on("data", (chunk) => {
    heard += chunk.toString()
  })
  closing.push(() => socket.destroy())
  await once(socket, "connect")
  return { socket, heard: () => heard }
}

/** Sends byte by byte until all is sent or the connection is closed; gives how much was sent. */
async function drip(socket: Socket, text: string): Promise<number> {
  for (let at = 0; at < text.length; at++) {
    if (socket.readableEnded || socket.destroyed) return at
    socket.write(text[at] ?? "")
    await after(5)
  }
  return text.length
}

const head = (body: number, more = ""): string =>
  `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}Content-Length: ${body}\r\n\r\n`

describe("I1: who sends slowly", () => {
  it("a head is refused in the time that node gives a head, though bytes keep coming", async () => {
    const { socket, heard } = await open(await serve({ headMs: 200, requestMs: 60_000 }))
    const text = head(0, `X: ${"a".repeat(600)}\r\n`)
    expect(await drip(socket, text)).toBeLessThan(text.length)
    expect(heard()).toBe("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n")
  })

  it("a body is refused in the time that node gives a request, also on a connection that was used before", async () => {
    const { socket, heard } = await open(await serve({ headMs: 60_000, requestMs: 1_500 }))
    socket.write(`${head(2)}{}`)
    await expect.poll(heard).toMatch(/fast$/)
    socket.write(head(600))
    expect(await drip(socket, "a".repeat(600))).toBeLessThan(600)
    expect(heard()).toContain("408 Request Timeout")
  })

  it("nothing at all is closed in the time of a head", async () => {
    const { socket, heard } = await open(await serve({ headMs: 100 }))
    if (!socket.readableEnded) await once(socket, "end")
    expect(heard()).toContain("408 Request Timeout")
  })

  it("is not refused while the time lasts", async () => {
    const { socket, heard } = await open(await serve({ headMs: 60_000, requestMs: 60_000 }))
    await drip(socket, `${head(2)}{}`)
    await expect.poll(heard).toMatch(/fast$/)
  })

  it.each([
    {
      what: "head",
      limits: { headMs: 800, requestMs: 60_000 },
      first: "POST /mcX",
      rest: ` HTTP/1.1\r\nX: ${"a".repeat(600)}`,
    },
    {
      what: "body",
      limits: { headMs: 60_000, requestMs: 800 },
      first: head(0).replace("Content-Length: 0", "Transfer-Encoding: chunked"),
      rest: `fff\r\n${"a".repeat(600)}`,
    },
  ])("attach-fast-path I2: gains no time for a $what by becoming unusual late", async ({ limits, first, rest }) => {
    const { socket } = await open(await serve(limits))
    socket.write(first.slice(0, -1))
    // Longer than what counts as at once.
    await after(60)
    socket.write(first.slice(-1))
    expect(await drip(socket, rest)).toBeLessThan(rest.length)
  })
})

describe("I3: requests that are not whole", () => {
  it("are node's when all of them together hold too much, and are kept again once there is room", async () => {
    const server = await serve({})
    let nodes = 0
    server.on("request", () => nodes++)
    const part = 200_000
    const needed = Math.ceil(mostWaitingBytes / part)
    const clients = await Promise.all(Array.from({ length: needed + 4 }, () => open(server)))
    for (const { socket } of clients) socket.write(head(part + 1) + "a".repeat(part))
    await expect.poll(() => nodes).toBeGreaterThanOrEqual(1)
    expect(nodes).toBeLessThan(40)
    for (const { socket } of clients) socket.write("a")
    await expect.poll(() => clients.filter(({ heard }) => /(?:fast|node)$/.test(heard())).length).toBe(clients.length)
    const later = await open(server)
    later.socket.write(`${head(part)}a`)
    later.socket.write("a".repeat(part - 1))
    await expect.poll(later.heard).toMatch(/fast$/)
  })
})

describe("the fast path", () => {
  it.each(["127.0.0.1", "::ffff:127.0.0.1"])("is taken by what comes to %s", async (host) => {
    const { socket, heard } = await open(await serve({ host }))
    socket.write(`${head(2)}{}`)
    await expect.poll(heard).toMatch(/fast$/)
  })

  it.each(["0.0.0.0", "::"])("attach-fast-path I1: is not taken where others can reach us: %s", async (host) => {
    const { socket, heard } = await open(await serve({ host }))
    socket.write(`${head(2)}{}`)
    await expect.poll(heard).toMatch(/node\r\n0\r\n\r\n$|node$/)
  })
})

describe("I4: a head that comes before the rest of its message", () => {
  async function listen() {
    const told: string[] = []
    const server = createServer((request: NodeRequest, response) => {
      told.push(request.coming === undefined ? "is node's" : "came, and is node's")
      request.resume().on("end", () => response.end("node"))
    })
    const fast = attachFastPath(
      server,
      ({ coming, url }, response) => {
        if (url !== "/mcp") return false
        told.push(coming === undefined ? "came whole" : "came")
        coming?.done()
        response.writeHead(200, { "content-length": 4 })
        response.end("fast")
        return true
      },
      {
        comes: ({ "x-name": name }) => {
          told.push(`${String(name)} comes`)
          return { isCancelled: () => false, done: () => told.push("done") }
        },
      },
    )
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    closing.push(() => {
      server.closeAllConnections()
      fast.closeAll()
      return new Promise((resolve) => server.close(resolve))
    })
    return { told, ...(await open(server)) }
  }

  it("is told, and comes with what was given for it; a message that comes whole is not", async () => {
    const { told, socket, heard } = await listen()
    socket.write(head(4, "X-Name: a\r\n"))
    await expect.poll(() => told).toEqual(["a comes"])
    socket.write("1")
    socket.write("234")
    await expect.poll(heard).toMatch(/fast$/)
    socket.write(`${head(2)}{}`)
    await expect.poll(() => told).toEqual(["a comes", "came", "done", "came whole"])
  })

  it("attach-fast-path I3: goes with node's request where the message is not for the fast path, and is done with it", async () => {
    const { told, socket, heard } = await listen()
    socket.write(head(4, "X-Name: a\r\n").replace("/mcp", "/mcp/other"))
    await expect.poll(() => told).toEqual(["a comes"])
    socket.write("1234")
    await expect.poll(heard).toContain("node")
    await expect.poll(() => told).toEqual(["a comes", "came, and is node's", "done"])
    socket.write(`${head(2)}{}`)
    await expect.poll(() => told).toEqual(["a comes", "came, and is node's", "done", "is node's"])
  })

  it("is done where its connection ends before", async () => {
    const { told, socket } = await listen()
    socket.write(head(4, "X-Name: b\r\n"))
    await expect.poll(() => told).toEqual(["b comes"])
    socket.destroy()
    await expect.poll(() => told).toEqual(["b comes", "done"])
  })
})
