/** An MCP server over HTTP, in one era, that answers everything and writes down whatever it is sent. It shares no code with the gateway. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

export type Seen = {
  readonly method: string
  readonly params: Record<string, unknown>
  readonly isRequest: boolean
  readonly headers: Readonly<Record<string, string>>
}

export type RecordingServer = {
  readonly url: string
  readonly seen: () => readonly Seen[]
  readonly close: () => Promise<void>
}

/** A modern server wants this argument in a header, too. */
const properties = { region: { type: "string", "x-mcp-header": "Region" } }
const tool = (name: string) => ({ name, inputSchema: { type: "object", properties } })
const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} }
const serverInfo = { name: "recording", version: "1" }

const answers: Record<string, Record<string, unknown>> = {
  "server/discover": { supportedVersions: ["2026-07-28"], capabilities, serverInfo, ttlMs: 0, cacheScope: "private" },
  initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo },
  "tools/list": { tools: [tool("echo"), tool("danger")] },
  "prompts/list": { prompts: [{ name: "plain" }, { name: "danger" }] },
  "resources/list": { resources: [{ uri: "a://1", name: "one" }] },
  "resources/templates/list": { resourceTemplates: [] },
}
const ok = { content: [], contents: [], messages: [], completion: { values: [] } }

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

export async function startRecordingServer(era: "legacy" | "modern"): Promise<RecordingServer> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    if (request.method !== "POST") {
      response.writeHead(request.method === "DELETE" ? 200 : 405).end()
      return
    }
    const pieces: Buffer[] = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const { id, method, params = {} } = JSON.parse(Buffer.concat(pieces).toString("utf8"))
      if (typeof method === "string")
        seen.push({ method, params, isRequest: id !== undefined, headers: headersOf(request) })
      if (id === undefined || method === undefined) {
        response.writeHead(202).end()
        return
      }
      const isOther = era === "legacy" ? method === "server/discover" : method === "initialize"
      const said = isOther
        ? { error: { code: -32601, message: "Method not found" } }
        : { result: { ...(era === "modern" ? { resultType: "complete" } : {}), ...(answers[method] ?? ok) } }
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen: () => seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
