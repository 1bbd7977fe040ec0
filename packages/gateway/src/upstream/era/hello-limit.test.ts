import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "vitest"
import { anyone, closeAll, tryUpstream } from "../fixtures/try-upstream.ts"

const closing: Array<() => void> = []
afterEach(async () => {
  await closeAll()
  for (const close of closing.splice(0)) close()
})

/** Answers the method it knows with what it says of itself, and nothing else. */
async function serverSaying(method: string, hello: object): Promise<string> {
  const server = createServer(async (incoming, response) => {
    let text = ""
    for await (const chunk of incoming) text += chunk
    const asked = text === "" ? {} : JSON.parse(text)
    if (asked.id === undefined) return void response.writeHead(incoming.method === "POST" ? 202 : 405).end()
    const error = { code: -32601, message: "no such method" }
    const reply = asked.method === method ? { result: hello } : { error }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, ...reply }))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const about = (length: number) => ({
  capabilities: {},
  serverInfo: { name: "s", version: "1" },
  instructions: "i".repeat(length),
})

it.each([
  ["legacy", "initialize", { protocolVersion: "2025-11-25" }],
  [
    "modern",
    "server/discover",
    { supportedVersions: ["2026-07-28"], resultType: "complete", ttlMs: 0, cacheScope: "private" },
  ],
])(
  "a %s server that describes itself in megabytes is not connected to; one that says less is",
  async (era, method, more) => {
    const linked = async (length: number): Promise<string> => {
      const url = await serverSaying(method, { ...about(length), ...more })
      const upstream = tryUpstream({ kind: "http", url, headers: new Map() }, { times: { backOffMs: 10 } })
      return (await upstream.link(anyone)).era
    }
    expect(await linked(900_000)).toBe(era)
    await expect(linked(1_000_001)).rejects.toThrow("describes itself in more than 1 MB")
  },
)
