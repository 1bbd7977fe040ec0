// The least one can write with the official SDK: its server in front, its client behind, tools passed on.
// Arguments: the port to listen on, then the address behind, or a program to start.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"

const [port, behind = "", ...args] = process.argv.slice(2)
const sessions = new Map<string, StreamableHTTPServerTransport>()
const isUrl = behind.startsWith("http:")
const shared = isUrl ? null : await connect()

createServer(async (incoming, response) => {
  const id = incoming.headers["mcp-session-id"]
  const transport = typeof id === "string" ? sessions.get(id) : await newSession()
  if (transport === undefined) response.writeHead(404).end()
  else await transport.handleRequest(incoming, response)
}).listen(Number(port), "127.0.0.1")

async function connect(): Promise<Client> {
  const client = new Client({ name: "sdk-relay", version: "1.0.0" })
  const transport = isUrl
    ? new StreamableHTTPClientTransport(new URL(behind))
    : new StdioClientTransport({ command: process.execPath, args: [behind, ...args], stderr: "ignore" })
  await client.connect(transport as Transport)
  return client
}

async function newSession(): Promise<StreamableHTTPServerTransport> {
  const client = shared ?? (await connect())
  const server = new Server({ name: "sdk-relay", version: "1.0.0" }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => client.listTools(params))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => client.callTool(params))
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await server.connect(transport as Transport)
  return transport
}
