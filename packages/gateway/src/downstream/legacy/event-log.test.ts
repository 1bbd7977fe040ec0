import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { describe, expect, it } from "vitest"
import { logEvent, newEventLog } from "./event-log.ts"

describe("a stream whose client reads nothing", () => {
  it("is let go before what it has not read fills our memory", async () => {
    const server = createServer()
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const client = connect(port, "127.0.0.1", () => client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
    client.on("error", () => {})
    client.pause()
    const [, response] = (await once(server, "request")) as [unknown, ServerResponse]
    const log = newEventLog("stream")
    log.live = response
    const event = JSON.stringify("x".repeat(1024 * 1024))
    for (let sent = 0; sent < 64 && !response.destroyed; sent += 1) logEvent(log, event)
    expect(response.destroyed).toBe(true)
    client.destroy()
    server.close()
  })
})
