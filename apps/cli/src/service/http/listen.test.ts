import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { describe, expect, it } from "vitest"
import { limitReading, listen } from "./listen.ts"

describe("limitReading", () => {
  it("lets go of whoever does not send a request to its end, and not of whoever waits for an answer", async () => {
    const server = createServer({ connectionsCheckingInterval: 20 }, (request, response) => {
      request.on("error", () => {})
      request.on("data", () => {})
      request.on("end", () => response.write("held"))
    })
    limitReading(server)
    expect(server.requestTimeout).toBeGreaterThan(0)
    expect(server.headersTimeout).toBeGreaterThan(0)
    // The same in short: what arrives whole stays open when the time to arrive is over.
    server.requestTimeout = 100
    server.headersTimeout = 100
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const waits = connect(port, "127.0.0.1", () => waits.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
    await once(waits, "data")
    const slow = connect(port, "127.0.0.1", () => {
      slow.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this")
    })
    slow.on("error", () => {})
    slow.resume()
    await once(slow, "close")
    expect(waits.destroyed || waits.readableEnded).toBe(false)
    waits.destroy()
    server.closeAllConnections()
    server.close()
  })
})

describe("a request with two Hosts", () => {
  it.each(["GET / HTTP/1.1", "POST /mcp HTTP/1.1", "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: ours/1"])(
    "is refused: %j",
    async (first) => {
      const handled: string[] = []
      const { port, close } = await listen({
        ...{ host: "127.0.0.1", port: 0, orAnyPort: false, tls: null, connections: 100 },
        handle: ({ url = "" }, response) => {
          handled.push(url)
          response.end()
        },
        upgrades: { isWanted: () => true, take: (_request, socket) => void socket.end("taken") },
      })
      const hosts = "Host: 127.0.0.1\r\nhOST: evil.example"
      const socket = connect(port, "127.0.0.1", () => socket.write(`${first}\r\n${hosts}\r\n\r\n`))
      expect((await once(socket.setEncoding("utf8"), "data"))[0]).toMatch(/^HTTP\/1.1 400 /)
      expect(handled).toEqual([])
      socket.destroy()
      await close()
    },
  )
})

describe("an upgrade", () => {
  const upgrading = (path: string, protocol: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`

  it("that nobody wants is answered as if it had not been asked for; one that is wanted ends with the service", async () => {
    const { port, close } = await listen({
      ...{ host: "127.0.0.1", port: 0, orAnyPort: false, tls: null, connections: 100 },
      handle: (_request, response) => void response.end("plain"),
      upgrades: {
        isWanted: ({ headers }) => headers.upgrade === "ours/1",
        take: (_request, socket) => void socket.write("ours\n"),
      },
    })
    const ask = (protocol: string) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(upgrading("/", protocol)))
      return socket.setEncoding("utf8")
    }
    const [other, ours] = [ask("h2c"), ask("ours/1")]
    expect((await once(other, "data"))[0]).toMatch(/^HTTP\/1.1 200 OK/)
    expect((await once(ours, "data"))[0]).toBe("ours\n")
    other.destroy()
    ours.on("error", () => {})
    await Promise.all([close(), once(ours, "close")])
  })
})

describe("connections", () => {
  it("are limited: idle ones end to make room, and one that is answered stays", async () => {
    const { port, close } = await listen({
      ...{ host: "127.0.0.1", port: 0, orAnyPort: false, tls: null, connections: 2 },
      attachFastPath: (server) => {
        // Nothing else ends idle ones.
        server.keepAliveTimeout = 0
        return { closeIdle: () => {}, closeAll: () => {} }
      },
      handle: (request, response) => void (request.url === "/held" ? response.write("held") : response.end("done")),
    })
    const ask = (path: string) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))
      return socket.setEncoding("utf8").on("error", () => {})
    }
    const held = ask("/held")
    await once(held, "data")
    const idle = ask("/")
    await once(idle, "data")
    const idleEnds = once(idle, "close")
    // The third is one too many: it is let go, and so is the idle one.
    await Promise.all([once(ask("/"), "close"), idleEnds])
    const next = ask("/")
    expect((await once(next, "data"))[0]).toMatch(/done/)
    expect(held.destroyed || held.readableEnded).toBe(false)
    for (const socket of [held, next]) socket.destroy()
    await close()
  })
})

describe("requests that are sent before the last one is answered", () => {
  it("are taken up to a number; a connection that sends more at once ends", async () => {
    const handled: string[] = []
    const { port, close } = await listen({
      ...{ host: "127.0.0.1", port: 0, orAnyPort: false, tls: null, connections: 100 },
      handle: ({ url = "" }, response) => {
        handled.push(url)
        setTimeout(() => response.end("ok"))
      },
    })
    const send = (count: number) => {
      const requests = Array.from({ length: count }, (_, n) => `GET /${count}/${n} HTTP/1.1\r\nHost: x\r\n\r\n`)
      const socket = connect(port, "127.0.0.1", () => socket.write(requests.join("")))
      return socket.setEncoding("utf8").on("error", () => {})
    }
    const few = send(16)
    let answers = ""
    few.on("data", (text) => {
      answers += text
    })
    await expect.poll(() => answers.split("HTTP/1.1 200").length - 1).toBe(16)
    few.write("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
    await expect.poll(() => handled.includes("/next")).toBe(true)
    few.destroy()
    const many = send(500)
    many.resume()
    await once(many, "close")
    expect(handled.filter((url) => url.startsWith("/500/"))).toHaveLength(16)
    await close()
  })
})
