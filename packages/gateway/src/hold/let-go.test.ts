/** What a call that waits for a person keeps in memory, behind every front. */
import { mkdtempSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Call, Gate, JsonObject } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { openSqliteStore } from "@byleave/store/sqlite"
import { afterEach, describe, expect, it } from "vitest"
import { createGateway } from "../create-gateway.ts"
import type { Gateway, GatewayOptions } from "../gateway.ts"
import { approve, deny, gateOn, nextHeld, optionsOf, policyOf, rule } from "../relay/fixtures/open-relay.ts"
import { twoEra } from "../relay/fixtures/two-era.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const endings: Array<() => unknown> = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** Follows what was sent with each call that is submitted, without keeping it. */
function watching(gate: Gate, sent: WeakRef<object>[]): Gate {
  const note = ({ args, extraParams }: Call): void => {
    for (const part of [args, ...Object.values(args), ...Object.values(extraParams ?? {})]) {
      if (typeof part === "object" && part !== null) sent.push(new WeakRef(part))
    }
  }
  return {
    ...gate,
    submit: (call, run, options) => {
      note(call)
      return gate.submit(call, run, options)
    },
    attach: (approval, call, run, options) => {
      note(call)
      return gate.attach(approval, call, run, options)
    },
  }
}

const asking = [rule("ask", "two(*)"), rule("ask", "two(prompt:*)"), rule("ask", "two(method:vendor/do)")]

async function open(era: "legacy" | "modern", more: Partial<GatewayOptions> = {}) {
  const path = join(mkdtempSync(join(tmpdir(), "byleave-let-go-")), "store.db")
  const store = await openSqliteStore({ path, hasher: nodeHasher, signer: ed25519Signer(newSigningKey()) })
  const gate = await gateOn(store, policyOf(asking, { methods: [rule("ask", "two(vendor/do)").target] }))
  const sent: WeakRef<object>[] = []
  const { server, seen } = twoEra(era)
  let host = ""
  const hosts = (): ReadonlySet<string> => new Set([host])
  const options = optionsOf(watching(gate, sent), [server], new Map(), { ...more, hosts })
  const gateway: Gateway = createGateway(options)
  const http = createServer((request, response) => {
    if (!gateway.handle(request, response)) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  endings.push(
    () => store.close(),
    () => gate.close(),
    () => {
      http.closeAllConnections()
      http.close()
    },
    () => gateway.close(),
  )
  return { gate, gateway, sent, seen, url: (at: string) => `http://${host}${at}` }
}

type Opened = Awaited<ReturnType<typeof open>>
/** Sends a request, and gives the text of its answer. */
type Send = (method: string, params: JsonObject) => Promise<string>
type Front = (opened: Opened) => Promise<Send>

const clientInfo = { name: "test", version: "1" }

function post(url: string, message: object, headers: Record<string, string>): Promise<Response> {
  const accept = "application/json, text/event-stream"
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  return fetch(url, { method: "POST", body, headers: { accept, "content-type": "application/json", ...headers } })
}

const legacyOn =
  (path: string): Front =>
  async ({ url }) => {
    const version = "2025-11-25"
    const params = { protocolVersion: version, capabilities: {}, clientInfo }
    const hello = await post(url(path), { id: 0, method: "initialize", params }, {})
    await hello.text()
    const headers = {
      "mcp-session-id": hello.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": version,
    }
    return async (method, asked) => (await post(url(path), { id: "c", method, params: asked }, headers)).text()
  }

function withEnvelope(params: JsonObject, abilities: JsonObject): JsonObject {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": abilities,
    "io.modelcontextprotocol/clientInfo": clientInfo,
  }
  return { ...params, _meta: { ...(params._meta as JsonObject), ...envelope } }
}

const modernOn =
  (path: string, abilities: JsonObject = {}): Front =>
  async ({ url }) =>
  async (method, asked) => {
    const headers = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof asked.name === "string" ? { "mcp-name": asked.name } : {}),
    }
    return (await post(url(path), { id: "c", method, params: withEnvelope(asked, abilities) }, headers)).text()
  }

const onStdio =
  (era: "legacy" | "modern"): Front =>
  async ({ gateway }) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const identity = { principal: { id: "agent" }, namesSessions: false, session: "process-1" }
    const served = gateway.serveStdio({ input, output }, "two", identity)
    endings.push(() => {
      input.end()
      return served
    })
    const lines = output.setEncoding("utf8")[Symbol.asyncIterator]()
    let text = ""
    const say = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const answerTo = async (id: string): Promise<string> => {
      while (!text.includes(`"id":"${id}"`) || !text.endsWith("\n")) text += (await lines.next()).value
      return text
    }
    if (era === "legacy") {
      say({ id: "h", method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } })
      await answerTo("h")
    }
    return async (method, asked) => {
      say({ id: "c", method, params: era === "legacy" ? asked : withEnvelope(asked, {}) })
      return answerTo("c")
    }
  }

const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } }

/** Far from the frames of the request that waits: what they keep shows. */
async function holdOne({ gate, sent }: Opened, send: Send, name: string) {
  const held = nextHeld(gate)
  const params = {
    name,
    arguments: { text: "hello", nested: [[["deep"]]] },
    _meta: { progressToken: "p", "vendor/note": { x: [1] } },
  }
  const answer = send("tools/call", params)
  const { id } = await held
  expect(sent.length).toBeGreaterThan(2)
  return { id, answer }
}

async function expectLetGo(sent: ReadonlyArray<WeakRef<object>>): Promise<void> {
  await expect
    .poll(() => {
      collect()
      return sent.filter((part) => part.deref() !== undefined).length
    })
    .toBe(0)
}

describe("I8: a call that waits keeps nothing of what was sent with it", () => {
  const fronts: ReadonlyArray<{ name: string; era: "legacy" | "modern"; front: Front; tool?: string }> = [
    { name: "a legacy client over HTTP", era: "legacy", front: legacyOn("/mcp/two") },
    { name: "a legacy client on the path of all servers", era: "legacy", front: legacyOn("/mcp"), tool: "two__echo" },
    { name: "a legacy client of a modern server", era: "modern", front: legacyOn("/mcp/two") },
    { name: "a modern client over HTTP", era: "legacy", front: modernOn("/mcp/two") },
    { name: "a modern client of a modern server", era: "modern", front: modernOn("/mcp/two") },
    { name: "a modern client on the path of all servers", era: "modern", front: modernOn("/mcp"), tool: "two__echo" },
    { name: "a modern client whose call becomes a task", era: "legacy", front: modernOn("/mcp/two", tasks) },
    { name: "a legacy client on stdio", era: "legacy", front: onStdio("legacy") },
    { name: "a modern client on stdio", era: "legacy", front: onStdio("modern") },
  ]
  it.each(fronts)("$name", async ({ era, front, tool = "echo" }) => {
    const opened = await open(era)
    const { gate, sent, seen } = opened
    const { id, answer } = await holdOne(opened, await front(opened), tool)
    await expectLetGo(sent)
    // What runs is what was sent.
    const approval = await gate.approval(id)
    if (approval === undefined) throw new Error("held, but not in the store")
    expect(approval.args).toEqual({ text: "hello", nested: [[["deep"]]] })
    await approve(gate, approval)
    expect(await answer).toMatch(/echoed|"taskId"/)
    await expect.poll(() => seen("tools/call")).toHaveLength(1)
    expect(seen("tools/call")[0]).toContain('"arguments":{"text":"hello","nested":[[["deep"]]]}')
    expect(seen("tools/call")[0]).toContain('"vendor/note":{"x":[1]}')
  })
  it.each([
    { name: "a prompt", method: "prompts/get", params: { name: "one", arguments: { text: "hello" } } },
    { name: "a method that is none of MCP's", method: "vendor/do", params: { nested: [[["deep"]]] } },
  ])("$name", async ({ method, params }) => {
    const opened = await open("legacy")
    const { gate, sent } = opened
    const send = await legacyOn("/mcp/two")(opened)
    const held = nextHeld(gate)
    const answer = send(method, { ...params, _meta: { "vendor/note": { x: [1] } } })
    const approval = await held
    expect(sent.length).toBeGreaterThan(1)
    await expectLetGo(sent)
    await deny(gate, approval, "no")
    expect(await answer).toContain("no")
  })

  it("a modern client that comes back to it", async () => {
    const legMs = 3_600_000
    // The first leg is over by the time the call is held, and the second never.
    let isSent = (): boolean => false
    const opened = await open("modern", { times: { legMs }, now: () => (isSent() ? legMs : 0) })
    const { gate, sent } = opened
    const send = await modernOn("/mcp/two")(opened)
    isSent = () => sent.length > 0
    const first = await holdOne(opened, send, "echo")
    const requestState = /"requestState":"([^"]+)"/.exec(await first.answer)?.[1] ?? ""
    const params = { name: "echo", arguments: { text: "hello", nested: [[["deep"]]] }, requestState }
    const before = sent.length
    const again = send("tools/call", { ...params, _meta: { "vendor/note": { x: [1] } } })
    await expect.poll(() => sent.length).toBeGreaterThan(before)
    await expectLetGo(sent)
    const approval = await gate.approval(first.id)
    if (approval === undefined) throw new Error("held, but not in the store")
    expect(approval).toMatchObject({ status: "pending", caller: expect.any(String) })
    await approve(gate, approval)
    expect(await again).toContain("echoed")
  })
})
