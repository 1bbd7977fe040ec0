import { once } from "node:events"
import { createServer, request, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { createGateway } from "../../packages/gateway/src/create-gateway.ts"
import { gateOn, memoryStore, optionsOf, policyOf, rule } from "../../packages/gateway/src/relay/fixtures/open-relay.ts"

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A legacy server whose tool `hang` is not answered until told; it counts what hangs. */
async function openServer() {
  const hanging: ServerResponse[] = []
  const server = createServer(async (incoming, response) => {
    let text = ""
    for await (const chunk of incoming) text += chunk
    if (text === "") return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse(text)
    if (id === undefined) return void response.writeHead(202).end()
    if (params?.name === "hang") return void hanging.push(response)
    const result = results.get(method)
    const reply = result === undefined ? { error: { code: -32601, message: "unknown" } } : { result }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }))
  })
  const port = await listen(server)
  const end = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { hanging, port, end }
}

const tool = (name: string) => ({ name, inputSchema: { type: "object" } })
const results = new Map<string, object>([
  [
    "initialize",
    { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  ],
  ["tools/list", { tools: [tool("hang"), tool("echo")] }],
  ["tools/call", { content: [{ type: "text", text: "answered" }] }],
])

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function openGateway(upstream: number, fastPath: boolean) {
  const gate = await gateOn(memoryStore(), policyOf([rule("allow", "s(*)")]))
  const hosts = new Set<string>()
  const transport = { kind: "http" as const, url: `http://127.0.0.1:${upstream}/mcp`, headers: new Map() }
  const gateway = createGateway(
    optionsOf(gate, [{ id: "s", transport }], new Map(), {
      hosts: () => hosts,
      fastPath,
      identify: async ({ authorization = "nobody" }) => ({ principal: { id: authorization }, namesSessions: false }),
    }),
  )
  const server = createServer((incoming, response) => void gateway.handle(incoming, response))
  const fast = gateway.attachFastPath(server)
  closing.push(
    () => gate.close(),
    () => gateway.close(),
    () => fast.closeAll(),
  )
  const port = await listen(server)
  hosts.add(`127.0.0.1:${port}`)
  return port
}

type Answer = { readonly status: number; readonly session: string | undefined; readonly text: string }

function post(port: number, agent: string, session: string | undefined, message: object): Promise<Answer> {
  const headers = {
    authorization: agent,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(session === undefined ? {} : { "mcp-session-id": session }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path: "/mcp/s", method: "POST", headers, agent: false },
      async (answer) => {
        let text = ""
        answer.setEncoding("utf8").on("error", () => {})
        try {
          for await (const chunk of answer) text += chunk
        } catch {
          // The gateway was closed while it waited.
        }
        const { "mcp-session-id": given } = answer.headers
        resolve({ status: answer.statusCode ?? 0, session: given === undefined ? undefined : String(given), text })
      },
    )
    closing.push(() => sent.destroy())
    sent.on("error", reject)
    sent.end(JSON.stringify({ jsonrpc: "2.0", ...message }))
  })
}

async function connectAs(port: number, agent: string) {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: agent, version: "1" } }
  const { session } = await post(port, agent, undefined, { id: 0, method: "initialize", params })
  await post(port, agent, session, { method: "notifications/initialized" })
  let id = 0
  return (name: string) =>
    post(port, agent, session, { id: ++id, method: "tools/call", params: { name, arguments: {} } })
}

describe.each([true, false])("a server that all agents share, fast path: %s", (fastPath) => {
  it("answers one agent while another has 300 calls hanging there", async () => {
    const server = await openServer()
    const port = await openGateway(server.port, fastPath)
    const [ann, bob] = [await connectAs(port, "ann"), await connectAs(port, "bob")]
    for (let n = 0; n < 300; n++) ann("hang").catch(() => {})
    await expect.poll(() => server.hanging.length, { timeout: 20_000 }).toBe(256)
    for (let n = 0; n < 5; n++) expect((await bob("echo")).text).toContain("answered")
    // What hangs fails, or the gateway would give it its last seconds.
    server.end()
  })
})
