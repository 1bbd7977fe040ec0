import { Agent, get, request } from "node:http"
import type { LeanWire } from "./lean.ts"
import { pendingReplies } from "./pending-replies.ts"

/** The older HTTP transport: one stream for all replies, posts for all requests. */
export function leanSse(url: string): Promise<LeanWire> {
  const agent = new Agent({ keepAlive: true })
  const pending = pendingReplies()
  return new Promise((resolve, reject) => {
    const stream = get(url, { agent, headers: { accept: "text/event-stream" } }, (message) => {
      let rest = ""
      let event = ""
      message.setEncoding("utf8")
      message.on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n")
        rest = lines.pop() ?? ""
        for (const line of lines) {
          if (line.startsWith("event:")) event = line.slice(6).trim()
          else if (line.startsWith("data:") && event === "endpoint") {
            resolve(wireTo(new URL(line.slice(5).trim(), url), agent, pending))
          } else if (line.startsWith("data:")) pending.take(line.slice(5))
        }
      })
      message.once("close", () => pending.fail("The stream ended."))
      message.once("error", () => {})
    })
    stream.once("error", reject)
  })
}

function wireTo(url: URL, agent: Agent, pending: ReturnType<typeof pendingReplies>): LeanWire {
  const post = (body: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
      const outgoing = request(url, { method: "POST", agent, headers }, (message) => {
        message.resume().once("end", () => resolve())
        if ((message.statusCode ?? 500) >= 300) reject(new Error(`A message got ${message.statusCode}.`))
      })
      outgoing.once("error", reject)
      outgoing.end(body)
    })
  return {
    request: async (id, method, params) => {
      const reply = pending.expect(id)
      await post(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`)
      return await reply
    },
    notify: (method) => post(`{"jsonrpc":"2.0","method":"${method}"}`),
    close: async () => agent.destroy(),
  }
}
