import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it } from "vitest"
import { CallRefused } from "./carry-out.ts"
import { callTool, listTools, newMcpClient, TooLong } from "./mcp-client.ts"

type Message = { readonly id?: number; readonly method: string; readonly params?: { readonly cursor?: string } }
type Answer = { readonly result: object } | { readonly error: { readonly code: number; readonly message: string } }

const open: Array<{ readonly server: Server; readonly client: Client }> = []
afterEach(async () => {
  for (const { server, client } of open.splice(0)) {
    await client.close()
    server.closeAllConnections()
    server.close()
  }
})

const info = { name: "shop", version: "1" }
const fresh = { resultType: "complete", ttlMs: 0, cacheScope: "private" }
const pay = {
  name: "pay",
  inputSchema: { type: "object", properties: { text: { type: "string", "x-mcp-header": "Text" } } },
}

/** A server of the modern era that answers as the test says, and the methods that reached it. */
async function connectTo(answer: (message: Message) => Answer) {
  const seen: string[] = []
  const headers: Array<string | string[] | undefined> = []
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const piece of request) text += piece
    const message = JSON.parse(text === "" ? '{"method":""}' : text) as Message
    seen.push(message.method)
    headers.push(request.headers["mcp-param-text"])
    const discovered = { ...fresh, supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, serverInfo: info }
    const body =
      message.method === "server/discover"
        ? { result: { ...discovered, _meta: { "io.modelcontextprotocol/serverInfo": info } } }
        : answer(message)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...body }))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const client = newMcpClient()
  open.push({ server, client })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)),
  )
  return { client, seen, headers, calls: () => seen.filter((method) => method === "tools/call") }
}

const whenever = new AbortController().signal
const call = (client: Client, definition: object = pay) =>
  callTool(client, { name: "pay", args: { text: "100" }, definition: definition as never }, whenever)

describe("I1: a call is sent once", () => {
  it.each([
    ["where the headers are said not to fit", { error: { code: -32020, message: "Header mismatch" } }],
    [
      "where more input is asked for",
      {
        result: {
          ...fresh,
          resultType: "input_required",
          inputRequests: {
            a: {
              method: "elicitation/create",
              params: { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } },
            },
          },
          requestState: "x",
        },
      },
    ],
  ])("%s", async (_, answer) => {
    const { client, calls } = await connectTo(({ method }) =>
      method === "tools/call" ? answer : { result: { ...fresh, tools: [pay] } },
    )
    await listTools(client)
    await expect(call(client)).rejects.toThrow(CallRefused)
    expect(calls()).toHaveLength(1)
  })

  it("with the headers that its definition asks for", async () => {
    const { client, headers } = await connectTo(() => ({ result: { ...fresh, content: [] } }))
    await call(client)
    expect(headers.at(-1)).toBe("100")
  })
})

it("I2: a pattern of the server's own is not run, and what does not fit it is still the outcome", async () => {
  const outputSchema = { type: "object", properties: { t: { type: "string", pattern: "^(a+)+$" } } }
  const result = { ...fresh, content: [], structuredContent: { t: `${"a".repeat(45)}!` } }
  const { client } = await connectTo(({ method }) => ({
    result: method === "tools/call" ? result : { ...fresh, tools: [{ ...pay, outputSchema }] },
  }))
  await listTools(client)
  expect(await call(client, { ...pay, outputSchema })).toMatchObject({ structuredContent: result.structuredContent })
})

describe("I3: a list of tools", () => {
  const limits = { ms: 60_000, pages: 3, tools: 10, bytes: 10_000 }

  it("is read from all its pages", async () => {
    const { client } = await connectTo(({ params }) => {
      const page = Number(params?.cursor ?? 0)
      return {
        result: {
          ...fresh,
          tools: [{ ...pay, name: `pay${page}` }],
          ...(page < 2 ? { nextCursor: `${page + 1}` } : {}),
        },
      }
    })
    expect((await listTools(client, limits)).map(({ name }) => name)).toEqual(["pay0", "pay1", "pay2"])
  })

  it.each([
    ["pages", { tools: [], nextCursor: "more" }, 3],
    ["tools", { tools: Array.from({ length: 11 }, (_, n) => ({ ...pay, name: `p${n}` })), nextCursor: "more" }, 1],
    ["a name", { tools: [{ ...pay, name: "p".repeat(201) }], nextCursor: "more" }, 1],
    ["bytes", { tools: [{ ...pay, description: "x".repeat(10_001) }], nextCursor: "more" }, 1],
  ])("is not read further than its limits: %s", async (_, listed, asked) => {
    const { client, seen } = await connectTo(() => ({ result: { ...fresh, ...listed } }))
    await expect(listTools(client, limits)).rejects.toThrow(TooLong)
    expect(seen.filter((method) => method === "tools/list")).toHaveLength(asked)
  })
})
