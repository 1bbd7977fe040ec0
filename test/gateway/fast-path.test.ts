import { once } from "node:events"
import { Agent, createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"

describe("the switch of the fast path", () => {
  /** The name of the host header of each request a server got: node's client writes it with a capital. */
  const hostHeaders: string[] = []
  let server: Server
  let place: Place

  beforeAll(async () => {
    server = createServer((incoming, response) => {
      if (incoming.method === "POST") hostHeaders.push(incoming.rawHeaders.find((name) => /^host$/i.test(name)) ?? "")
      response.writeHead(404).end()
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
  })

  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  afterEach(() => place.dispose())

  it.each([
    { args: [], front: "timeout=60", behind: "host" },
    { args: ["--no-fast-path"], front: "timeout=5", behind: "Host" },
    { args: ["--behind-proxy"], front: "timeout=5", behind: "Host" },
  ])("is one for both sides: serve $args", async ({ args, front, behind }) => {
    const { port } = server.address() as AddressInfo
    place = makePlace(
      `version: 1\nservers: { up: { url: "http://127.0.0.1:${port}/mcp" } }\nreviewers: { presence: none }\n`,
    )
    hostHeaders.length = 0
    const { url } = await place.serve(...args)
    const answer = await post(new URL("/mcp", url))
    expect(answer.headers["keep-alive"]).toBe(front)
    await expect.poll(() => hostHeaders.length).toBeGreaterThan(0)
    expect(new Set(hostHeaders)).toEqual(new Set([behind]))
  })
})

async function post(url: URL) {
  const agent = new Agent({ keepAlive: true })
  const sent = request(url, { method: "POST", agent, headers: { "content-type": "application/json" } })
  sent.end("{}")
  const [answer] = await once(sent, "response")
  answer.resume()
  await once(answer, "end")
  agent.destroy()
  return answer
}
