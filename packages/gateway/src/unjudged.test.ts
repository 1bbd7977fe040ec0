/** Messages that once passed the gate unjudged, sent through the real fronts to a server that records every message. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { PassThrough } from "node:stream"
import { afterEach, describe, expect, it } from "vitest"
import { createGateway } from "./create-gateway.ts"
import { gateOn, memoryStore, optionsOf, policyOf } from "./relay/fixtures/open-relay.ts"
import { twoEra } from "./relay/fixtures/two-era.ts"

const endings: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function open(era: "legacy" | "modern") {
  const two = twoEra(era)
  const gate = await gateOn(memoryStore(), policyOf([], { default: "deny" }))
  let host = ""
  const gateway = createGateway(optionsOf(gate, [two.server], new Map(), { hosts: () => new Set([host]) }))
  const http = createServer((request, response) => void gateway.handle(request, response))
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  endings.push(
    () => gate.close(),
    async () => http.close(),
    async () => http.closeAllConnections(),
    () => gateway.close(),
  )
  const post = (message: object, headers: Record<string, string> = {}) =>
    fetch(`http://${host}/mcp/two`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    })
  return { two, gateway, post }
}

const hello = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: { name: "eve", version: "1" } },
}
const call = { method: "tools/call", params: { name: "echo", arguments: {} } }

describe("a tools/call without an id, from a client that declares roots", () => {
  it("over HTTP is refused and reaches no server", async () => {
    const { two, post } = await open("legacy")
    const session = (await post(hello)).headers.get("mcp-session-id") ?? ""
    // Its own connection is open: this is what carried such notifications before.
    await post({ id: 2, method: "tools/list" }, { "mcp-session-id": session })
    const answer = await post(call, { "mcp-session-id": session })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: -32601 } })
    expect(await (await post({ ...call, id: 3 }, { "mcp-session-id": session })).text()).toContain("refus")
    expect(two.seen("tools/call")).toEqual([])
  })

  it("in the modern era is refused and reaches no server", async () => {
    const { two, post } = await open("modern")
    expect((await post(call, { "mcp-protocol-version": "2026-07-28" })).status).toBe(400)
    expect(two.seen("tools/call")).toEqual([])
  })

  it("over stdio reaches no server, and the conversation goes on", async () => {
    const { two, gateway } = await open("legacy")
    const [input, output] = [new PassThrough(), new PassThrough()]
    const said: string[] = []
    output.on("data", (chunk: Buffer) => said.push(chunk.toString()))
    const identity = { principal: { id: "agent" }, namesSessions: false, session: "s" }
    const served = gateway.serveStdio({ input, output }, "two", identity)
    const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    send(hello)
    send({ method: "notifications/initialized" })
    send({ id: 2, method: "tools/list" })
    send(call)
    send({ method: "shell/exec", params: { command: "id" } })
    send({ id: 3, method: "tools/list" })
    await expect.poll(() => said.join("")).toContain('"id":3')
    input.end()
    await served
    expect(two.lines().filter((line) => /tools\/call|shell\/exec/.test(line))).toEqual([])
  })
})
