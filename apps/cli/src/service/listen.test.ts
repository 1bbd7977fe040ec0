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

describe("an upgrade", () => {
  const upgrading = (path: string, protocol: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`

  it("that nobody wants is answered as if it had not been asked for; one that is wanted ends with the service", async () => {
    const { port, close } = await listen({
      ...{ host: "127.0.0.1", port: 0, orAnyPort: false, tls: null },
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
