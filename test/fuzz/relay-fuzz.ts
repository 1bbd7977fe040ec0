/**
 * Sends changed requests through a real gateway to servers of both eras that write down what they get, and holds what they got against the
 * audit: a server saw nothing that the audit does not tell, and nothing beyond the list of what needs no judgement.
 */
import { createHash, createHmac } from "node:crypto"
import { Agent, createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { canonicalJson, type JsonObject, type Store } from "@byleave/core"
import fc from "fast-check"
import { createGateway } from "../../packages/gateway/src/create-gateway.ts"
import { gateOn, memoryStore, optionsOf, policyOf, rule } from "../../packages/gateway/src/relay/fixtures/open-relay.ts"
import { type Mutated, mutatedRequest } from "./mutated-requests.ts"
import { type RecordingServer, type Seen, startRecordingServer } from "./recording-server.ts"

const rules = [
  ...["echo", "resource:*", "prompt:*", "method:vendor/named"].map((name) => rule("allow", `*(${name})`)),
  ...["resource:b://*", "prompt:danger", "sampling", "elicitation"].map((name) => rule("deny", `*(${name})`)),
]

/** What needs no judgement, and the params that may go with it. Written apart from the gateway's own table. */
const unjudged: ReadonlyMap<string, readonly string[]> = new Map([
  ["initialize", ["protocolVersion", "capabilities", "clientInfo"]],
  ["server/discover", []],
  ["subscriptions/listen", ["notifications"]],
  ["notifications/initialized", []],
  ["notifications/cancelled", ["requestId", "reason"]],
  ["notifications/roots/list_changed", []],
  ["notifications/progress", ["progressToken", "progress", "total", "message"]],
  ["tools/list", ["cursor"]],
  ["prompts/list", ["cursor"]],
  ["resources/list", ["cursor"]],
  ["resources/templates/list", ["cursor"]],
  ["logging/setLevel", ["level"]],
  ["tasks/get", ["taskId"]],
])

export type FuzzReport = { readonly sent: number; readonly reached: number; readonly problems: readonly string[] }

export async function fuzzRelay(count: number, seed: number): Promise<FuzzReport> {
  const servers = { old: await startRecordingServer("legacy"), new: await startRecordingServer("modern") }
  const store = memoryStore()
  const policy = policyOf(rules, { default: "deny", methods: [rule("allow", "*(vendor/named)").target] })
  const gate = await gateOn(store, policy)
  const upstreams = Object.entries(servers).map(([id, { url }]) => ({
    id,
    transport: { kind: "http" as const, url, headers: new Map<string, string>() },
  }))
  let host = ""
  const gateway = createGateway(optionsOf(gate, upstreams, new Map(), { hosts: () => new Set([host]) }))
  const http = createServer((request, response) => {
    if (!gateway.handle(request, response)) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  host = `127.0.0.1:${(http.address() as AddressInfo).port}`
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  try {
    const post = (server: string, body: string, headers: Record<string, string>) =>
      send(agent, host, `/mcp/${server}`, body, headers)
    const sessions = await openSessions(post)
    const all = fc.sample(mutatedRequest, { numRuns: count, seed })
    await inParallel(all, 16, async (mutated, at) => {
      const server = at % 2 === 0 ? "old" : "new"
      await post(server, mutated.body, { ...mutated.headers, ...sessionHeader(sessions, server, mutated) })
    })
    return await report(count, servers, store)
  } finally {
    agent.destroy()
    await gateway.close()
    await gate.close()
    http.closeAllConnections()
    http.close()
    for (const server of Object.values(servers)) await server.close()
  }
}

type Post = (server: string, body: string, headers: Record<string, string>) => Promise<string | undefined>

/** The legacy sessions, by server and by what their client declares. */
async function openSessions(post: Post): Promise<ReadonlyMap<string, string>> {
  const sessions = new Map<string, string>()
  for (const server of ["old", "new"]) {
    for (const era of ["legacy", "roots"]) {
      const capabilities = era === "roots" ? { roots: { listChanged: true } } : {}
      const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "fuzz", version: "1" } }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params })
      sessions.set(`${server} ${era}`, (await post(server, body, {})) ?? "")
    }
  }
  return sessions
}

function sessionHeader(
  sessions: ReadonlyMap<string, string>,
  server: string,
  { era }: Mutated,
): Record<string, string> {
  const session = sessions.get(`${server} ${era}`)
  return session === undefined ? {} : { "mcp-session-id": session }
}

function send(
  agent: Agent,
  host: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `http://${host}${path}`,
      {
        method: "POST",
        agent,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "content-length": Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        response.resume()
        response.on("end", () => resolve(response.headers["mcp-session-id"] as string | undefined))
      },
    )
    request.on("error", reject)
    request.end(body)
  })
}

async function inParallel<T>(
  all: readonly T[],
  width: number,
  work: (one: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let at = next++; at < all.length; at = next++) await work(all[at] as T, at)
    }),
  )
}

async function report(sent: number, servers: Record<string, RecordingServer>, store: Store): Promise<FuzzReport> {
  const told = await allowedCalls(store)
  const problems: string[] = []
  let reached = 0
  for (const [server, { seen }] of Object.entries(servers)) {
    reached += seen().length
    for (const one of seen()) {
      const problem = problemOf(server, one, told)
      if (problem !== null) problems.push(`${problem}: ${JSON.stringify(one)}`)
    }
  }
  return { sent, reached, problems }
}

/** Each allowed call of the audit, as often as it was allowed. */
async function allowedCalls(store: Store): Promise<Map<string, number>> {
  const told = new Map<string, number>()
  for await (const records of store.chains()) {
    for (const { type, text } of records) {
      if (type !== "call.allowed") continue
      const { body } = JSON.parse(text) as { readonly body: Record<string, string> }
      const key = [body.server, body.kind, body.tool, body.digest, body.extra ?? ""].join(" ")
      told.set(key, (told.get(key) ?? 0) + 1)
    }
  }
  return told
}

/** Headers of HTTP and of the protocol: nobody judges them, so they say nothing that the message does not. */
const plainHeaders: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-type", "content-length", "accept", "accept-encoding", "accept-language"],
  ...["user-agent", "sec-fetch-mode", "transfer-encoding", "mcp-session-id"],
])

function headerProblem({ method, params, headers }: Seen): string | null {
  for (const [name, value] of Object.entries(headers)) {
    if (plainHeaders.has(name)) continue
    if (name === "mcp-protocol-version" && /^\d{4}-\d\d-\d\d$/.test(value)) continue
    if (name === "mcp-method" && value === method) continue
    if (name === "mcp-name" && [params.name, params.uri, params.taskId].includes(headerValue(value))) continue
    const args = params.arguments as Record<string, unknown> | undefined
    if (name === "mcp-param-region" && method === "tools/call" && args?.region === headerValue(value)) continue
    return `a header that nobody judged (${name}: ${value})`
  }
  return null
}

function headerValue(text: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text)?.[1]
  return encoded === undefined ? text : Buffer.from(encoded, "base64").toString("utf8")
}

function problemOf(server: string, seen: Seen, told: Map<string, number>): string | null {
  const header = headerProblem(seen)
  if (header !== null) return header
  const { _meta, ...params } = seen.params
  const known = unjudged.get(seen.method)
  if (known !== undefined) {
    if (seen.method.startsWith("notifications/") === seen.isRequest)
      return "a notification as a request, or the reverse"
    const unknown = Object.keys(params).filter((key) => !known.includes(key))
    return unknown.length === 0 ? null : `params that nobody knows (${unknown.join(", ")})`
  }
  if (!seen.isRequest) return "a notification that is not on the list"
  const judged = judgedAs(seen.method, params)
  if (judged === null) return "a method that is not on the list"
  const key = [server, judged.kind, judged.name, keyed(judged.digested), extraOf(_meta, judged.extra)].join(" ")
  const times = told.get(key) ?? 0
  if (times === 0) return "a request that the audit does not tell"
  told.set(key, times - 1)
  return null
}

type Judged = { readonly kind: string; readonly name: string; readonly digested: unknown; readonly extra?: object }

/** What the audit must say of it, worked out from what the server was sent. */
function judgedAs(method: string, params: Record<string, unknown>): Judged | null {
  const {
    name,
    uri,
    arguments: args = {},
    ref,
    ...others
  } = params as Record<string, unknown> & { ref?: Record<string, string> }
  const only = (...keys: string[]) => Object.keys(params).every((key) => keys.includes(key))
  switch (method) {
    case "tools/call":
      return only("name", "arguments") ? { kind: "tool", name: spelled(name), digested: args } : null
    case "prompts/get":
      return only("name", "arguments") ? about("prompt", spelled(name), args) : null
    case "resources/read":
    case "resources/subscribe":
      if (!only("uri")) return null
      return about("resource", spelled(uri), { uri }, method === "resources/subscribe" ? { method } : undefined)
    case "completion/complete":
      if (!only("ref", "argument", "context")) return null
      return ref?.type === "ref/prompt"
        ? about("prompt", spelled(ref.name), others, { method })
        : about("resource", spelled(ref?.uri), { uri: ref?.uri, ...others }, { method })
    case "vendor/named":
      return about("method", method, params)
    default:
      return null
  }
}

/** A name that is no text is none that anyone judged. */
function spelled(name: unknown): string {
  return typeof name === "string" ? name : `not a text: ${JSON.stringify(name)}`
}

function about(kind: string, name: string, args: unknown, extra?: object): Judged {
  return {
    kind,
    name,
    digested: extra === undefined ? { kind, args } : { kind, args, extra },
    ...(extra === undefined ? {} : { extra }),
  }
}

function extraOf(meta: unknown, extra: object = {}): string {
  const entries = Object.entries((meta ?? {}) as Record<string, unknown>)
  const kept = entries.filter(([key]) => key !== "progressToken" && !key.startsWith("io.modelcontextprotocol/"))
  const all = { ...extra, ...(kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }) }
  return Object.keys(all).length === 0 ? "" : keyed(all)
}

function keyed(value: unknown): string {
  const digest = createHash("sha256")
    .update(canonicalJson(JSON.parse(JSON.stringify(value)) as JsonObject))
    .digest("hex")
  return createHmac("sha256", "test").update(digest).digest("hex")
}
