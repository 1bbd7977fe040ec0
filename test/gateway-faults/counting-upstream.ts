// A legacy MCP server that counts what reaches it and misbehaves on request: `counting-upstream.ts stdio|http FOLDER`.
// Written by hand, so that it can break every rule. The folder holds `dispatches.log`, and `control`: the address to steer it by.
import { renameSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { countDispatch } from "./dispatches.ts"

type Message = {
  readonly id?: number | string
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: Record<string, unknown>
    readonly _meta?: { readonly progressToken?: unknown }
  }
}

/** One way back to the client for one request. */
type Line = {
  /** Any text, framed as the transport frames a message. */
  readonly send: (text: string) => void
  /** Nothing more comes on this request. */
  readonly end: () => void
  /** Cuts the connection, as a crash would. */
  readonly cut: () => void
}

const [transport = "stdio", folder = ""] = process.argv.slice(2)
const log = join(folder, "dispatches.log")
const listeners = new Set<Line>()
const slow = new Set<() => void>()
let definition = 1
let requests = 0

const schema = { type: "object", properties: { n: { type: "string" } } }
const names = "act act_slow act_then_close crash malformed wrong_id huge endless storm changing".split(" ")

function tools(): unknown[] {
  return names.map((name) => ({
    name,
    description: name === "changing" ? `Does something, as of version ${definition}.` : `Does ${name}.`,
    inputSchema: schema,
  }))
}

const answer = (id: unknown, result: unknown): string => JSON.stringify({ jsonrpc: "2.0", id, result })
const notice = (method: string, params?: unknown): string => JSON.stringify({ jsonrpc: "2.0", method, params })
const said = (words: string) => ({ content: [{ type: "text", text: words }] })

function announce(): void {
  for (const line of listeners) line.send(notice("notifications/tools/list_changed"))
}

/** One call, and how it would be answered by a server that behaves. */
type Called = { readonly message: Message; readonly line: Line; readonly done: (result?: unknown) => void }

const misdeeds = new Map<string, (called: Called) => void>([
  ["act_slow", ({ done }) => void slow.add(() => done())],
  ["act_then_close", ({ line }) => line.cut()],
  ["crash", () => process.exit(1)],
  [
    "malformed",
    ({ message, line }) => {
      line.send(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":[`)
      line.end()
    },
  ],
  [
    "wrong_id",
    ({ message, line }) => {
      line.send(answer(`not-${message.id}`, said("for somebody else")))
      line.end()
    },
  ],
  ["huge", ({ done }) => done(said("x".repeat(10 * 1024 * 1024)))],
  ["endless", ({ message, line }) => goOn(line, message.params?._meta?.progressToken)],
  [
    "storm",
    ({ line, done }) => {
      for (let i = 0; i < 2_000; i++) line.send(notice("notifications/tools/list_changed"))
      done()
    },
  ],
])

function call(message: Message, line: Line): void {
  const tool = message.params?.name ?? ""
  const n = String(message.params?.arguments?.n)
  countDispatch(log, { tool, n })
  const done = (result: unknown = said(`did ${n}`)): void => {
    line.send(answer(message.id, result))
    line.end()
  }
  const misdeed = misdeeds.get(tool)
  if (misdeed === undefined) done()
  else misdeed({ message, line, done })
}

/** Says something for ever, and never the answer. */
function goOn(line: Line, progressToken: unknown): void {
  let progress = 0
  const timer = setInterval(() => {
    progress += 1
    line.send(notice("notifications/message", { level: "info", data: `still here ${progress}` }))
    if (progressToken !== undefined) line.send(notice("notifications/progress", { progressToken, progress }))
  }, 5)
  slow.add(() => clearInterval(timer))
}

function receive(message: Message, line: Line): void {
  requests += 1
  if (message.method === "tools/call") {
    call(message, line)
    return
  }
  if (message.id !== undefined) line.send(reply(message.id, message.method))
  line.end()
}

function reply(id: unknown, method: string | undefined): string {
  if (method === "initialize") {
    const capabilities = { tools: { listChanged: true }, logging: {} }
    const serverInfo = { name: "counting", version: "1" }
    return answer(id, { protocolVersion: "2025-11-25", capabilities, serverInfo })
  }
  if (method === "tools/list") return answer(id, { tools: tools() })
  if (method === "ping" || method === "logging/setLevel") return answer(id, {})
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } })
}

function serveStdio(): void {
  const line: Line = {
    send: (words) => process.stdout.write(`${words}\n`),
    end: () => {},
    cut: () => process.exit(0),
  }
  listeners.add(line)
  createInterface({ input: process.stdin })
    .on("line", (words) => receive(JSON.parse(words) as Message, line))
    .on("close", () => process.exit(0))
}

async function serveHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET") return listen(response)
  if (request.method !== "POST") return void response.writeHead(405).end()
  const message = JSON.parse(await text(request)) as Message
  if (message.id === undefined) return void response.writeHead(202).end()
  receive(message, streams.has(message.params?.name ?? "") ? streamLine(response) : wholeLine(response))
}

const streams = new Set(["endless", "storm", "act_slow"])

function listen(response: ServerResponse): void {
  const line = streamLine(response)
  listeners.add(line)
  response.on("close", () => listeners.delete(line))
}

function streamLine(response: ServerResponse): Line {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
  return {
    send: (words) => void response.write(`data: ${words}\n\n`),
    end: () => void response.end(),
    cut: () => void response.destroy(),
  }
}

function wholeLine(response: ServerResponse): Line {
  return {
    send: (words) => void response.writeHead(200, { "content-type": "application/json" }).write(words),
    end: () => void response.end(),
    cut: () => void response.destroy(),
  }
}

const deeds = new Map<string, () => unknown>([
  ["/state", () => ({ pid: process.pid, requests, slow: slow.size })],
  ["/release", () => release()],
  ["/change", () => change()],
])

function release(): unknown {
  const released = [...slow]
  slow.clear()
  for (const done of released) done()
  return { released: released.length }
}

/** The definition of `changing` is another one from now on, and those who listen hear that lists changed. */
function change(): unknown {
  definition += 1
  announce()
  return { definition }
}

const control = createServer((request, response) => {
  const deed = deeds.get(request.url ?? "")
  if (deed === undefined) return void response.writeHead(404).end()
  response.end(JSON.stringify(deed()))
})
const http = createServer((request, response) => {
  serveHttp(request, response).catch(() => response.destroy())
})

function portOf(server: typeof control): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })
}

const steered = `http://127.0.0.1:${await portOf(control)}`
const url = transport === "http" ? `http://127.0.0.1:${await portOf(http)}/mcp` : null
// Renamed into place: whoever reads it reads all of it.
const place = join(folder, `control-${process.pid}`)
writeFileSync(place, JSON.stringify({ control: steered, url }))
renameSync(place, join(folder, "control"))
if (transport === "stdio") serveStdio()
// Whoever started it is gone: nobody steers it any more.
else process.stdin.resume().on("close", () => process.exit(0))
