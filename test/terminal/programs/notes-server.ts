/** A server without tools: it has a note and a prompt. Starts by itself, speaks lines of JSON-RPC. */
import { createInterface } from "node:readline"

const results: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { resources: {}, prompts: {} },
    serverInfo: { name: "notes", version: "1" },
  },
  "tools/list": { tools: [] },
  "resources/read": { contents: [{ uri: "notes://a", text: "The note." }] },
  "prompts/get": { messages: [{ role: "user", content: { type: "text", text: "The prompt." } }] },
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = results[method]
  const answer = result === undefined ? { error: { code: -32601, message: "There is no such method." } } : { result }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`)
})
