import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "vitest"
import { settingOf } from "../upstream-options.ts"
import { createHttpClient } from "./http-client.ts"
import { createPostNotification } from "./post-notification.ts"

const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

it("has 256 notifications on their way to a server at once, and refuses more until it has taken some", async () => {
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    request.resume()
    held.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = createHttpClient(
    settingOf("slow", { now: Date.now, newId: () => "id", searchPath: "", log: () => {}, redact: (text) => text }),
  )
  closing.push(() => client.close())
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  const tell = createPostNotification(client, url, "legacy")
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" } as const
  const told = Array.from({ length: 256 }, () => tell({}, notification))
  const refused = tell({}, notification).then(() => "told", String)
  await expect.poll(() => held.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(256)
  for (const response of held.splice(0)) response.writeHead(202).end()
  await Promise.all(told)
  expect(await Promise.race([refused, "waits"])).toContain("has not taken 256 notifications yet")
  const again = tell({}, notification)
  await expect.poll(() => held.length, { timeout: 5_000 }).toBe(1)
  held[0]?.writeHead(202).end()
  await again
})
