import { Agent, request as httpRequest, type IncomingMessage } from "node:http"
import type { JsonObject } from "@byleave/core"

/** What a client is told in the end: a JSON-RPC result or error. */
export type Told = {
  readonly id?: unknown
  readonly result?: JsonObject & {
    readonly isError?: boolean
    readonly _meta?: JsonObject
    readonly requestState?: string
  }
  readonly error?: { readonly code: number; readonly message: string }
}

/** One request on its way. */
export type Sent = {
  /** Rejects when the connection breaks before the answer came. */
  readonly told: Promise<Told>
  /** Resolves once the response began: a held call opens its response at once. */
  readonly opened: Promise<IncomingMessage>
  /** Resolves once all of the request has left. */
  readonly written: Promise<void>
  readonly drop: () => void
  readonly id: number
}

export type LeanClient = {
  readonly call: (tool: string, n: string, more?: CallMore) => Sent
  readonly request: (method: string, params: JsonObject, more?: CallMore) => Sent
  /** `notifications/cancelled`, the way a legacy client withdraws. */
  readonly withdraw: (id: number) => Promise<void>
  readonly session: string | null
}

export type CallMore = { readonly id?: number; readonly params?: JsonObject }

// A connection each: one that the gateway is just closing must not look like a call it lost.
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
let lastId = 0

/** A client of 2025-11-25. `session`: goes on with that one, as after a restart of the gateway. */
export async function legacyClient(base: string, session?: string): Promise<LeanClient> {
  const url = `${base}/mcp/counting`
  let headers: Record<string, string> = { "mcp-protocol-version": "2025-11-25" }
  if (session === undefined) {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "lean", version: "1" } }
    const hello = post(url, {}, { id: ++lastId, method: "initialize", params })
    const opened = await hello.opened
    await hello.told
    headers = { ...headers, "mcp-session-id": String(opened.headers["mcp-session-id"]) }
    await settled(post(url, headers, { method: "notifications/initialized" }))
  } else headers = { ...headers, "mcp-session-id": session }
  const request = (method: string, params: JsonObject, { id = ++lastId, params: more = {} }: CallMore = {}): Sent =>
    post(url, headers, { id, method, params: { ...params, ...more } })
  return {
    request,
    call: (tool, n, more) => request("tools/call", { name: tool, arguments: { n } }, more),
    withdraw: (requestId) => settled(post(url, headers, { method: "notifications/cancelled", params: { requestId } })),
    session: headers["mcp-session-id"] ?? null,
  }
}

/** A client of 2026-07-28, which shows each leg as it is. */
export function modernClient(base: string, abilities: JsonObject = {}): LeanClient {
  const version = "2026-07-28"
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": abilities,
    "io.modelcontextprotocol/clientInfo": { name: "lean", version: "1" },
  }
  const request = (method: string, params: JsonObject, { id = ++lastId, params: more = {} }: CallMore = {}): Sent => {
    const name = params.name ?? params.taskId
    const named: Record<string, string> = typeof name === "string" ? { "mcp-name": name } : {}
    const headers = { "mcp-protocol-version": version, "mcp-method": method, ...named }
    return post(`${base}/mcp/counting`, headers, { id, method, params: { ...params, ...more, _meta: envelope } })
  }
  return {
    request,
    call: (tool, n, more) => request("tools/call", { name: tool, arguments: { n } }, more),
    withdraw: async () => {},
    session: null,
  }
}

/** Calls, or goes on from this state, and comes back with `requestState` for as long as it is told to, as modern clients do by themselves. */
export async function callInLegs(
  client: LeanClient,
  tool: string,
  n: string,
  params: { readonly requestState?: string } = {},
): Promise<{ told: Told; legs: number }> {
  let told = await client.call(tool, n, { params }).told
  let legs = 1
  while (told.result?.resultType === "input_required") {
    legs += 1
    told = await client.call(tool, n, { params: { requestState: told.result.requestState ?? "" } }).told
  }
  return { told, legs }
}

async function settled(sent: Sent): Promise<void> {
  const response = await sent.opened
  response.resume()
  sent.told.catch(() => {})
}

type Outgoing = { readonly id?: number; readonly method: string; readonly params?: JsonObject }

function post(url: string, headers: Record<string, string>, message: Outgoing): Sent {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  const outgoing = httpRequest(url, {
    method: "POST",
    agent,
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "content-length": Buffer.byteLength(body),
    },
  })
  const opened = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on("response", resolve)
    outgoing.on("error", reject)
  })
  const told = opened.then((response) => answerIn(response, message.id))
  const written = new Promise<void>((resolve) => outgoing.once("finish", resolve))
  opened.catch(() => {})
  told.catch(() => {})
  outgoing.end(body)
  return { told, opened, written, drop: () => void outgoing.destroy(), id: message.id ?? 0 }
}

async function answerIn(response: IncomingMessage, id: number | undefined): Promise<Told> {
  let words = ""
  let found: Told | undefined
  response.setEncoding("utf8")
  for await (const chunk of response) words += chunk
  const isStream = response.headers["content-type"]?.startsWith("text/event-stream") === true
  for (const text of isStream ? dataOf(words) : [words]) {
    if (text === "") continue
    const message = JSON.parse(text) as Told & { readonly method?: string }
    if (message.method === undefined && (message.id === id || message.id === null)) found = message
  }
  if (found === undefined) throw new Error(`No answer came (${response.statusCode}): ${words.slice(0, 200)}`)
  return found
}

/** What the events of a stream carry. */
function dataOf(words: string): readonly string[] {
  return words.split("\n\n").map((event) =>
    event
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trim())
      .join("\n"),
  )
}
