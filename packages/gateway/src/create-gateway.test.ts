import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterEach, describe, expect, it } from "vitest"
import { createGateway } from "./create-gateway.ts"
import type { Gateway, GatewayOptions, GatewayServer } from "./gateway.ts"
import {
  approve,
  gateOn,
  memoryStore,
  nextHeld,
  optionsOf,
  policyOf,
  referenceServer,
  rule,
} from "./relay/fixtures/open-relay.ts"
import { twoEra } from "./relay/fixtures/two-era.ts"

const endings: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function open(
  servers: readonly GatewayServer[],
  rules: Parameters<typeof policyOf>[0],
  more: Partial<GatewayOptions> = {},
) {
  const gate = await gateOn(memoryStore(), policyOf(rules))
  let host = ""
  const gateway: Gateway = createGateway(optionsOf(gate, servers, new Map(), { hosts: () => new Set([host]), ...more }))
  const http: Server = createServer((request, response) => {
    if (!gateway.handle(request, response)) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  endings.push(
    () => gate.close(),
    async () => {
      http.closeAllConnections()
      http.close()
    },
    () => gateway.close(),
  )
  return { gate, gateway, url: (path: string) => new URL(`http://${host}${path}`) }
}

async function legacyClient(url: URL): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} })
  await client.connect(new StreamableHTTPClientTransport(url) as Parameters<Client["connect"]>[0])
  endings.push(() => client.close())
  return client
}

async function modernClient(url: URL): Promise<ModernClient> {
  const client = new ModernClient(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  )
  await client.connect(new ModernTransport(url))
  endings.push(() => client.close())
  return client
}

describe("the gateway before real servers", () => {
  it("R9: serves a legacy client: what is allowed runs at once, what is held runs once approved", async () => {
    const folder = mkdtempSync(join(tmpdir(), "byleave-files-"))
    writeFileSync(join(folder, "a.txt"), "hello")
    const { gate, url } = await open(
      [referenceServer("files", "filesystem", [folder])],
      [rule("allow", "files(read_*)")],
    )
    const client = await legacyClient(url("/mcp/files"))
    const read = await client.callTool({ name: "read_text_file", arguments: { path: join(folder, "a.txt") } })
    expect(JSON.stringify(read.content)).toContain("hello")
    const held = nextHeld(gate)
    const path = join(folder, "b.txt")
    const writing = client.callTool({ name: "write_file", arguments: { path, content: "approved" } })
    await approve(gate, await held)
    expect((await writing).isError).not.toBe(true)
    expect(readFileSync(path, "utf8")).toBe("approved")
  })

  it("serves a modern client the same servers, and its held call comes back by itself", async () => {
    const { gate, url } = await open([referenceServer("every", "everything")], [], { times: { legMs: 100 } })
    const client = await modernClient(url("/mcp/every"))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo")
    const held = nextHeld(gate)
    const calling = client.callTool({ name: "echo", arguments: { message: "later" } })
    const approval = await held
    // The first leg is over once nobody is attached.
    await expect.poll(async () => (await gate.approval(approval.id))?.caller).toBeNull()
    await approve(gate, approval)
    expect(JSON.stringify((await calling).content)).toContain("Echo: later")
  })

  it("serves all of them on one path", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "byleave-memory-")), "memory.json")
    const servers = [
      referenceServer("every", "everything"),
      referenceServer("memory", "memory", [], { MEMORY_FILE_PATH: file }),
    ]
    const { gateway, url } = await open(servers, [rule("allow", "*(*)")])
    expect(await gateway.discover()).toEqual(
      new Map([
        ["every", null],
        ["memory", null],
      ]),
    )
    const client = await legacyClient(url("/mcp"))
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["every__echo", "memory__read_graph"]))
    const entities = [{ name: "a", entityType: "b", observations: [] }]
    await client.callTool({ name: "memory__create_entities", arguments: { entities } })
    const graph = await client.callTool({ name: "memory__read_graph", arguments: {} })
    expect(JSON.stringify(graph.structuredContent)).toContain('"name":"a"')
    const prompts = await client.listPrompts()
    expect(prompts.prompts.map(({ name }) => name)).toContain("every__simple-prompt")
    expect(gateway.servers().map(({ id, health }) => [id, health.state])).toEqual([
      ["every", "connected"],
      ["memory", "connected"],
    ])
  })

  it("gives a conversation the new server when it is replaced", async () => {
    const before = twoEra("legacy")
    const after = twoEra("legacy")
    const { gateway, url } = await open([before.server], [rule("allow", "two(*)")])
    const client = await legacyClient(url("/mcp/two"))
    await client.callTool({ name: "echo", arguments: {} })
    await gateway.replaceServers([after.server])
    await client.callTool({ name: "echo", arguments: {} })
    expect([before.seen("tools/call").length, after.seen("tools/call").length]).toEqual([1, 1])
  })

  it("sends nothing to a server that was stopped, and leaves it out of all servers' tools, until it is started", async () => {
    const [two, other] = [twoEra("legacy"), twoEra("legacy", "other")]
    const { gateway, url } = await open([two.server, other.server], [rule("allow", "*(echo)")])
    const client = await legacyClient(url("/mcp/two"))
    await client.callTool({ name: "echo", arguments: {} })
    expect(await gateway.stop("two")).toBe(true)
    expect(await gateway.stop("unknown")).toBe(false)
    const refused = "A reviewer stopped the server two."
    await expect(client.callTool({ name: "echo", arguments: {} })).rejects.toThrow(refused)
    await gateway.replaceServers([{ ...two.server, timeoutMs: 60_000 }, other.server])
    await expect(client.callTool({ name: "echo", arguments: {} })).rejects.toThrow(refused)
    const all = await legacyClient(url("/mcp"))
    const names = (await all.listTools()).tools.map(({ name }) => name)
    expect([names.includes("other__echo"), names.includes("two__echo")]).toEqual([true, false])
    expect(gateway.servers()[0]).toMatchObject({ stopped: true, health: { state: "stopped", links: 0 } })
    expect(two.seen("tools/call")).toHaveLength(1)
    expect(await gateway.start("two")).toBe(true)
    expect(gateway.servers()[0]).toMatchObject({ stopped: false, health: { state: "connected" } })
    await client.callTool({ name: "echo", arguments: {} })
    expect(two.seen("tools/call")).toHaveLength(2)
  })

  it("fails a call that was allowed after its server had been stopped, with nothing sent", async () => {
    const two = twoEra("legacy")
    const { gate, gateway, url } = await open([two.server], [])
    const client = await legacyClient(url("/mcp/two"))
    const held = nextHeld(gate)
    const answer = client.callTool({ name: "echo", arguments: {} }).then(JSON.stringify, String)
    const approval = await held
    await gateway.stop("two")
    await approve(gate, approval)
    expect(await answer).toContain("has been stopped")
    expect((await gate.approval(approval.id))?.status).toBe("failed")
    expect(two.seen("tools/call")).toEqual([])
  })

  it("serves one client on a pair of streams", async () => {
    const { gateway } = await open([twoEra("legacy").server], [rule("allow", "two(*)")])
    const [input, output] = [new PassThrough(), new PassThrough()]
    const identity = { principal: { id: "wrap" }, namesSessions: false, session: "w1" }
    const served = gateway.serveStdio({ input, output }, "two", identity)
    const answers: string[] = []
    output.on("data", (chunk: Buffer) => answers.push(chunk.toString()))
    const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const clientInfo = { name: "t", version: "1" }
    say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } })
    say({ method: "notifications/initialized" })
    say({ id: 2, method: "tools/call", params: { name: "echo", arguments: {} } })
    await expect.poll(() => answers.join(""), { timeout: 10_000 }).toContain('"id":2')
    expect(answers.join("")).toContain("echoed")
    input.end()
    await served
  })
})
