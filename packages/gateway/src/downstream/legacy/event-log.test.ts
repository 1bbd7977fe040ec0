import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { describe, expect, it } from "vitest"
import { logEvent, newEventLog } from "./event-log.ts"

describe("a stream whose client reads nothing", () => {
  const mebibytes = async (mayLag: () => boolean): Promise<number> => {
    const server = createServer()
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const client = connect(port, "127.0.0.1", () => client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
    client.on("error", () => {})
    client.pause()
    const [, response] = (await once(server, "request")) as [unknown, ServerResponse]
    const log = newEventLog("stream", mayLag)
    log.live = response
    const event = JSON.stringify("x".repeat(1024 * 1024))
    let sent = 0
    for (; sent < 64 && !response.destroyed; sent += 1) logEvent(log, event, false)
    client.destroy()
    server.close()
    return sent
  }

  it("is let go before what it has not read fills our memory", async () => {
    expect(await mebibytes(() => true)).toBeLessThan(64)
  })

  it("is let go sooner where its agent leaves more unread elsewhere", async () => {
    let asked = 0
    const soon = await mebibytes(() => {
      asked += 1
      return asked < 3
    })
    expect(soon).toBeLessThan(await mebibytes(() => true))
  })
})

describe("what is kept for a client that comes back", () => {
  const large = JSON.stringify("x".repeat(1024 * 1024))

  it("is the reply, however large", () => {
    const log = newEventLog("stream", () => true)
    logEvent(log, large, false)
    logEvent(log, large, true)
    expect(log.kept).toHaveLength(1)
    expect(log.characters).toBe(log.kept[0]?.frame.length)
  })

  it("is no large event that is none", () => {
    const log = newEventLog("stream", () => true)
    logEvent(log, "{}", false)
    logEvent(log, large, false)
    expect(log).toMatchObject({ kept: [], characters: 0, last: 2 })
    logEvent(log, "{}", false)
    expect(log.kept.map(({ at }) => at)).toEqual([3])
  })
})
