/** An agent's token is revoked while things go on with it: nothing of it runs any more, and nothing reaches it. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Client } from "@byleave/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { must } from "./open-service.ts"

const version = "2025-11-25"
const modern = "2026-07-28"
const tool = (name: string) => ({ name, inputSchema: { type: "object" } })

/** A server whose tool `hang` answers when told, and which says things on its stream. */
async function openServer() {
  const hanging: Array<() => void> = []
  const called: string[] = []
  const streams = new Set<ServerResponse>()
  const server = createServer(async (incoming, response) => {
    if (incoming.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n")
      streams.add(response)
      return
    }
    let text = ""
    for await (const chunk of incoming) text += chunk
    const { id, method, params } = JSON.parse(text === "" ? "{}" : text)
    if (id === undefined) return void response.writeHead(202).end()
    const reply = (result: object) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }))
    if (method === "initialize") {
      const capabilities = { tools: {}, resources: { subscribe: true } }
      return void reply({ protocolVersion: version, capabilities, serverInfo: { name: "s", version: "1" } })
    }
    if (method === "tools/list") return void reply({ tools: [tool("hang"), tool("write")] })
    if (method !== "tools/call") return void reply({})
    called.push(params.name)
    const done = () => reply({ content: [{ type: "text", text: "ran" }] })
    if (params.name === "hang") hanging.push(done)
    else done()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const say = (uri: string): void => {
    const notice = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } }
    for (const stream of streams) stream.write(`data: ${JSON.stringify(notice)}\n\n`)
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    called,
    say,
    finish: () => {
      for (const done of hanging.splice(0)) done()
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const config = (url: string): string => `version: 1
servers:
  s: { url: ${JSON.stringify(url)} }
policy:
  rules:
    - allow: "s(hang)"
reviewers: { presence: none }
`

describe("a token that is revoked", { timeout: 120_000 }, () => {
  let server: Awaited<ReturnType<typeof openServer>>
  let place: Place
  let url: string
  let api: Client

  beforeAll(async () => {
    server = await openServer()
    place = makePlace(config(server.url))
    await place.command("init", "--presence", "none", "--data", place.data)
    url = (await place.serve()).url
    api = await place.reviewer(url)
  }, 120_000)
  afterAll(async () => {
    await place.dispose()
    server.close()
  })

  const waiting = async () => must(await api.listApprovals({ query: { status: "pending" } })).items

  async function agent(name: string) {
    const { secret } = must(await api.addToken({ body: { id: name, kind: "agent", namesSessions: false } }))
    const common = {
      authorization: `Bearer ${secret}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    }
    const post = (message: object, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}/mcp/s`, {
        method: "POST",
        headers: { ...common, ...more },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      })
    const clientInfo = { name: "test", version: "1" }
    const hello = await post({
      id: 0,
      method: "initialize",
      params: { protocolVersion: version, capabilities: {}, clientInfo },
    })
    await hello.text()
    const session = { "mcp-session-id": hello.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": version }
    const legacy = (message: object) => post(message, session)
    const newer = (name: string) =>
      post(
        {
          id: 1,
          method: "tools/call",
          params: {
            name,
            arguments: {},
            _meta: {
              "io.modelcontextprotocol/protocolVersion": modern,
              "io.modelcontextprotocol/clientInfo": clientInfo,
              "io.modelcontextprotocol/clientCapabilities": {},
            },
          },
        },
        { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": name },
      )
    const listen = () => fetch(`${url}/mcp/s`, { headers: { ...common, ...session } })
    return { legacy, newer, listen }
  }

  /** How a request ended, if it did. */
  const endOf = (asked: Promise<Response>): Promise<string> =>
    asked.then((response) => response.text()).catch((cause: unknown) => `broken off: ${cause}`)

  it("takes along held calls, calls that wait for their turn, and streams; another agent notices nothing", async () => {
    const [one, other] = [await agent("one"), await agent("other")]
    const call = { id: 7, method: "tools/call", params: { name: "write", arguments: { era: "legacy" } } }
    const held = [endOf(one.legacy(call)), endOf(one.newer("write"))]
    const others = endOf(other.legacy(call))
    await expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBe(3)
    await (await one.legacy({ id: 8, method: "resources/subscribe", params: { uri: "mail://inbox" } })).text()
    const stream = endOf(one.listen())
    const busy = Array.from({ length: 280 }, () => endOf(one.newer("hang")))
    await expect.poll(() => server.called.length, { timeout: 30_000 }).toBe(256)

    must(await api.revokeToken({ params: { id: "one" } }))
    expect(await Promise.all(held)).toEqual([
      expect.stringMatching(/^broken off/),
      expect.stringMatching(/^broken off/),
    ])
    // One that came after the revocation was not let in.
    expect((await Promise.all(busy)).filter((end) => !/^broken off|valid agent token/.test(end))).toEqual([])
    server.say("mail://inbox")
    expect(await stream).not.toContain("mail://inbox")
    await expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBe(1)
    const settled = must(await api.listApprovals({ query: { status: "cancelled" } })).items
    expect(settled.map((each) => "detail" in each && each.detail)).toEqual([
      "the agent's token was revoked.",
      "the agent's token was revoked.",
    ])
    server.finish()
    expect((await one.newer("hang")).status).toBe(401)
    expect(server.called.filter((name) => name === "write")).toEqual([])
    expect(server.called).toHaveLength(256)

    const [left] = await waiting()
    expect(left?.principal.id).toBe("other")
    must(await api.revokeToken({ params: { id: "other" } }))
    expect(await others).toMatch(/^broken off/)
  })

  it("leaves nothing to whoever gets a token of its name afterwards", async () => {
    const first = await agent("again")
    const lost = endOf(first.newer("write"))
    await expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBe(1)
    must(await api.revokeToken({ params: { id: "again" } }))
    const second = await agent("again")
    expect(await lost).toMatch(/^broken off/)
    await expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBe(0)
    const held = endOf(second.newer("write"))
    await expect.poll(async () => (await waiting()).length, { timeout: 30_000 }).toBe(1)
    must(await api.revokeToken({ params: { id: "again" } }))
    await held
  })
})
