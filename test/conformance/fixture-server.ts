import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { parseArgs } from "node:util"
import { createChanges } from "./fixture/changes.ts"
import { type Exchange, header, readText, sendJson } from "./fixture/http.ts"
import { createLegacyFront } from "./fixture/legacy-front.ts"
import { createModernFront } from "./fixture/modern-front.ts"
import { isObject, LEGACY, META, objectAt, type Rpc } from "./fixture/protocol.ts"

/** `dual` serves both eras on one path; the others know nothing of the era they lack. */
export type FixtureEra = "dual" | "legacy" | "modern"
export type Fixture = { readonly url: string; readonly close: () => Promise<void> }

/** An MCP server that offers every name the official conformance suite calls. */
export async function startFixture({ era }: { readonly era: FixtureEra }): Promise<Fixture> {
  const changes = createChanges()
  const legacy = createLegacyFront(changes)
  const modern = createModernFront(changes, () => new Date())

  async function post(exchange: Exchange): Promise<void> {
    const message = parse(await readText(exchange.request))
    if (message === null) return void sendJson(exchange.response, 400, { jsonrpc: "2.0", id: null, error: parseError })
    const speaksModern = era === "modern" || (era === "dual" && isModern(exchange.request, message))
    return speaksModern ? modern.post(exchange, message) : legacy.post(exchange, message)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = { request, response }
    if (!isLocal(request)) return void response.writeHead(403).end()
    if (request.url !== "/mcp") return void response.writeHead(404).end()
    if (request.method === "POST") return post(exchange)
    if (era === "modern") return void response.writeHead(405).end()
    if (request.method === "GET") return legacy.get(exchange)
    if (request.method === "DELETE") return legacy.remove(exchange)
    response.writeHead(405).end()
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const parseError = { code: -32700, message: "Not a JSON-RPC message" }

function parse(body: string): Rpc | null {
  try {
    const message: unknown = JSON.parse(body)
    return isObject(message) ? (message as Rpc) : null
  } catch {
    return null
  }
}

/** Modern requests say their version in `_meta`; one that forgot still says it in the header. */
function isModern(request: IncomingMessage, message: Rpc): boolean {
  const version = header(request, "mcp-protocol-version")
  return META.version in objectAt(message.params, "_meta") || (version !== undefined && !LEGACY.includes(version))
}

function isLocal(request: IncomingMessage): boolean {
  const port = request.socket.localPort
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const { host = "", origin } = request.headers
  return hosts.includes(host) && (origin === undefined || hosts.some((name) => origin === `http://${name}`))
}

if (import.meta.main) {
  const { era } = parseArgs({ options: { era: { type: "string", default: "dual" } } }).values
  if (era !== "dual" && era !== "legacy" && era !== "modern") throw new Error("--era is dual, legacy or modern")
  const fixture = await startFixture({ era })
  console.log(fixture.url)
}
