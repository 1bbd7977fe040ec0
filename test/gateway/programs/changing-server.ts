/**
 * A server on stdio whose tools and instructions stand in a file: it tells whoever connects that its list has changed each time the file
 * does, as a server would that was updated, or bought. Era and file are its arguments; every call is counted in a file beside it.
 */
import { appendFileSync, readFileSync, watchFile } from "node:fs"
import { createInterface } from "node:readline"

type Json = Record<string, unknown>
type Incoming = { readonly id?: unknown; readonly method?: string; readonly params?: Json }

const [era = "legacy", file = ""] = process.argv.slice(2)
const write = (message: Json): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const complete = (result: Json): Json => (era === "modern" ? { resultType: "complete", ...result } : result)
const now = (): { readonly tools: readonly Json[]; readonly instructions?: string; readonly structured?: Json } =>
  JSON.parse(readFileSync(file, "utf8"))

function hello(): Json {
  const { instructions } = now()
  return {
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "changing", version: "1" },
    ...(instructions === undefined ? {} : { instructions }),
  }
}

function called({ params }: Incoming): Json {
  appendFileSync(`${file}.calls`, `${String(params?.name)}\n`)
  const { structured } = now()
  const content = [{ type: "text", text: `ran ${String(params?.name)}` }]
  return structured === undefined ? { content } : { content, structuredContent: structured }
}

const methods = new Map<string, (message: Incoming) => Json | null>([
  ["initialize", () => (era === "legacy" ? { protocolVersion: "2025-11-25", ...hello() } : null)],
  ["server/discover", () => (era === "modern" ? { supportedVersions: ["2026-07-28"], ...hello() } : null)],
  ["tools/list", () => ({ tools: now().tools })],
  ["tools/call", called],
  ["ping", () => ({})],
])

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Incoming
  if (message.method === undefined || message.id === undefined) return
  const result = methods.get(message.method)?.(message) ?? null
  if (result === null) write({ id: message.id, error: { code: -32601, message: "Method not found" } })
  else write({ id: message.id, result: complete(result) })
})
watchFile(file, { interval: 20 }, () => write({ method: "notifications/tools/list_changed" }))
process.stdin.on("end", () => process.exit(0))
