import { type FrontPath, pathKey } from "./downstream/front-options.ts"
import { createHttpFront } from "./downstream/http-front.ts"
import type { Gateway, GatewayOptions } from "./gateway.ts"
import { defaultTimes } from "./hold/context.ts"
import { createAggregateBackend } from "./relay/aggregate-backend.ts"
import { createBackends } from "./relay/backends.ts"
import type { ServerBackend } from "./relay/server-backend.ts"

/** An MCP server in front, MCP servers behind, a gate between. */
export function createGateway(options: GatewayOptions): Gateway {
  const backends = createBackends(options)
  const aggregate = createAggregateBackend(backends)
  const backendOf = (server: string | null) => (server === null ? aggregate : backends.get(server))
  const times = { ...defaultTimes, ...options.times }
  const front = createHttpFront({ ...options, times, backendOf })
  return {
    handle: (request, response) => {
      const path = pathFrom(request.url ?? "/")
      if (path === null) return false
      void front(request, response, path)
      return true
    },
    serveStdio: async (streams, server, identity) => {
      const backend = backends.get(server)
      if (backend === undefined) throw new Error(`There is no server called ${server}.`)
      throw new Error(`${streams} ${identity}`)
    },
    servers: () =>
      backends.all().map(({ relay: { server, upstream, tools } }) => ({
        id: server.id,
        transport: server.transport,
        health: upstream.health(),
        tools: tools.names(),
      })),
    restart: async (server) => {
      const backend = backends.get(server)
      if (backend === undefined) return false
      await backend.relay.upstream.restart()
      backend.listsChanged()
      return true
    },
    discover: async () => new Map(await Promise.all(backends.all().map(look))),
    replaceServers: backends.replace,
    counts: () => {
      const { conversations, open } = front.counts()
      const links = backends.all().reduce((sum, { relay }) => sum + relay.upstream.health().links, 0)
      return { conversations, open, links }
    },
    close: async () => {
      front.close()
      await backends.close()
    },
  }
}

/** `/mcp` is all servers, `/mcp/<server>` one; null when it is neither. */
function pathFrom(url: string): FrontPath | null {
  const query = url.indexOf("?")
  const pathname = query < 0 ? url : url.slice(0, query)
  if (pathname === "/mcp") return { server: null }
  if (!pathname.startsWith("/mcp/")) return null
  try {
    const server = decodeURIComponent(pathname.slice("/mcp/".length))
    return pathKey({ server }) === "/mcp/" ? { server: null } : { server }
  } catch {
    return { server: pathname.slice("/mcp/".length) }
  }
}

async function look(backend: ServerBackend): Promise<readonly [string, string | null]> {
  const { id } = backend.relay.server
  try {
    await backend.relay.places.common().tools.tools()
    return [id, null]
  } catch (cause) {
    return [id, cause instanceof Error ? cause.message : String(cause)]
  }
}
