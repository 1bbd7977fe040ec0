import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http"
import type { LeanWire, Reply } from "./lean.ts"

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"byleave-bench","version":"1.0.0"}}`

/** Streamable HTTP over one kept-alive connection. */
export function leanHttp(url: string, modern: boolean, maxSockets: number): LeanWire {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const fixed: OutgoingHttpHeaders = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(modern ? { "mcp-protocol-version": "2026-07-28" } : {}),
  }
  const post = (body: string, more: OutgoingHttpHeaders = {}): Promise<Answer> =>
    send(url, agent, { ...fixed, ...more, "content-length": Buffer.byteLength(body) }, body)
  return {
    request: async (id, method, params, name) => {
      const sent = modern ? withMeta(params) : params
      const more = modern ? { "mcp-method": method, ...(name === undefined ? {} : { "mcp-name": name }) } : {}
      const answer = await post(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${sent}}`, more)
      const session = answer.message.headers["mcp-session-id"]
      if (method === "initialize" && typeof session === "string") {
        fixed["mcp-session-id"] = session
        fixed["mcp-protocol-version"] = "2025-11-25"
      }
      return replyIn(answer, id)
    },
    notify: async (method) => {
      const { message, text } = await post(`{"jsonrpc":"2.0","method":"${method}"}`)
      if (message.statusCode !== 202 && message.statusCode !== 200) {
        throw new Error(`${method} got ${message.statusCode}: ${text}`)
      }
    },
    listen: () => listenAt(url, agent, { ...fixed, accept: "text/event-stream" }),
    close: async () => agent.destroy(),
  }
}

type Answer = { readonly message: IncomingMessage; readonly text: string }

function send(url: string, agent: Agent, headers: OutgoingHttpHeaders, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: "POST", agent, headers }, (message) => {
      let text = ""
      message.setEncoding("utf8")
      message.on("data", (chunk: string) => {
        text += chunk
      })
      message.once("end", () => resolve({ message, text }))
      message.once("error", reject)
    })
    outgoing.once("error", reject)
    outgoing.end(body)
  })
}

function replyIn({ message, text }: Answer, id: number): Reply {
  if (message.headers["content-type"]?.startsWith("text/event-stream") !== true) return parsed(text, message)
  for (const line of text.split("\n")) {
    if (!line.startsWith("data: {")) continue
    const reply = parsed(line.slice(6), message)
    if (reply.id === id) return reply
  }
  throw new Error(`No reply to ${id} in: ${text}`)
}

function parsed(text: string, { statusCode }: IncomingMessage): Reply {
  try {
    return JSON.parse(text) as Reply
  } catch (cause) {
    throw new Error(`${statusCode}, and no JSON: ${text}`, { cause })
  }
}

/** Waits for the stream to open, then reads it for as long as it lasts. */
function listenAt(url: string, agent: Agent, headers: OutgoingHttpHeaders): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: "GET", agent, headers }, (message) => {
      message.resume().once("error", () => {})
      resolve()
    })
    outgoing.once("error", reject)
    outgoing.end()
  })
}

function withMeta(params: string): string {
  return params === "{}" ? `{${modernMeta}}` : `${params.slice(0, -1)},${modernMeta}}`
}
