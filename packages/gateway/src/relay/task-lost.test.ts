/** A modern server that makes a task of a call, and is gone, or has forgotten it, when it is asked how that goes. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { afterEach, expect, it } from "vitest"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  nextHeld,
  openRelay,
  type Relay,
  resultOf,
  textOf,
} from "./fixtures/open-relay.ts"

const at = "2026-01-01T00:00:00Z"
const task = { taskId: "t1", createdAt: at, lastUpdatedAt: at, ttlMs: null, pollIntervalMs: 50 }
const whole = { resultType: "complete", ttlMs: 0, cacheScope: "private" }
const capabilities = { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } }
const results = new Map<string, object>([
  ["server/discover", { ...whole, supportedVersions: ["2026-07-28"], capabilities }],
  ["tools/list", { ...whole, tools: [{ name: "act", inputSchema: { type: "object" } }] }],
  ["tools/call", { resultType: "task", ...task, status: "working" }],
])
const completed = { ...whole, ...task, status: "completed", result: { content: [{ type: "text", text: "did it" }] } }

const opened: Relay[] = []
const listening = new Set<Server>()
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
  for (const server of listening) end(server)
})

function end(server: Server): void {
  listening.delete(server)
  server.close()
  server.closeAllConnections()
}

/** `polled`: what it says of the task; without that it ends once it has made one. */
async function serve(port: number, polled: object | null): Promise<number> {
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk) => {
      text += String(chunk)
    })
    request.on("end", () => {
      const { id, method } = JSON.parse(text === "" ? "{}" : text) as {
        readonly id?: unknown
        readonly method?: string
      }
      const result = results.get(method ?? "")
      const said = result === undefined ? (polled ?? {}) : { result }
      const isLast = method === "tools/call" && polled === null
      // The connection is about to break, so the client must send nothing more on it: its next request finds no server.
      const connection = isLast ? { connection: "close" } : {}
      response.writeHead(id === undefined ? 202 : 200, { "content-type": "application/json", ...connection })
      response.end(id === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", id, ...said }), () => {
        if (isLast) end(server)
      })
    })
  })
  listening.add(server)
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

/** Until somebody has tried to connect, and there was no server. */
async function refusedOnce(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hear = (made: unknown) => void (made as { readonly socket: Socket }).socket.once("error", () => resolve())
  subscribe("net.client.socket", hear)
  await promise
  unsubscribe("net.client.socket", hear)
}

async function approved(polled: object | null) {
  const port = await serve(0, polled)
  const transport = { kind: "http", url: `http://127.0.0.1:${port}/mcp`, headers: new Map() } as const
  const relay = await openRelay([{ id: "web", transport }])
  opened.push(relay)
  const held = nextHeld(relay.gate)
  const calling = ask(relay.backend("web"), legacyCaller(), callOf("act"))
  const approval = await held
  await approve(relay.gate, approval)
  return { port, calling, status: async () => (await relay.gate.approval(approval.id))?.status }
}

it("I7: is not said to have done nothing", async () => {
  const { calling, status } = await approved(null)
  expect(await resultOf(calling)).toMatchObject({ isError: true, _meta: { "byleave/unknown": {} } })
  expect(await status()).toBe("unknown")
})

it("I7: nor where it does not know the task any more", async () => {
  const { calling, status } = await approved({ error: { code: -32602, message: "no such task" } })
  expect(await resultOf(calling)).toMatchObject({ isError: true, _meta: { "byleave/unknown": {} } })
  expect(await status()).toBe("unknown")
})

it("is asked again, and its result is the call's when it is back", async () => {
  const { port, calling, status } = await approved(null)
  await expect.poll(() => listening.size).toBe(0)
  await refusedOnce()
  await serve(port, { result: completed })
  expect(textOf(await resultOf(calling))).toContain("did it")
  expect(await status()).toBe("succeeded")
})
