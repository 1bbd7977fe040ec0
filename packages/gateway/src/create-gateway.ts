import type { FrontRequest, FrontResponse } from "./downstream/front-message.ts"
import { type FrontPath, pathKey } from "./downstream/front-options.ts"
import { createHttpFront } from "./downstream/http-front.ts"
import { createHeldElsewhere } from "./downstream/legacy/held-elsewhere.ts"
import { serveStdioFront } from "./downstream/stdio-front.ts"
import { attachFastPath, noFastPath } from "./fast-path/attach-fast-path.ts"
import type { Gateway, GatewayOptions } from "./gateway.ts"
import { defaultTimes } from "./hold/context.ts"
import { createBackends } from "./relay/backends.ts"
import { createLastingBackends } from "./relay/lasting-backends.ts"
import type { ServerBackend } from "./relay/server-backend.ts"
import { createAggregateBackend } from "./relay/several/aggregate-backend.ts"
import { withListingTurns } from "./relay/several/listing-turns.ts"
import { ownCall } from "./relay/tools/own-call.ts"
import { prepareRun, prepareRunCall, whyNotRun } from "./relay/tools/prepare-run.ts"
import { toolsForRun } from "./relay/tools/tools-for-run.ts"
import type { Caller } from "./wire/caller.ts"
import type { Backend } from "./wire/exchange.ts"

/** An MCP server in front, MCP servers behind, a gate between. */
export function createGateway(options: GatewayOptions): Gateway {
  const backends = createBackends(options)
  const lasting = createLastingBackends(backends.context.seen.caller)
  const aggregate = createAggregateBackend(backends)
  const all = withListingTurns(lasting.of(() => aggregate))
  const single = new Map<string, Backend>()
  let isClosing = false
  const backendOf = (server: string | null): Backend | undefined => {
    if (server === null) return all
    if (backends.get(server) === undefined) return undefined
    const found = single.get(server) ?? withListingTurns(lasting.of(() => backends.get(server)))
    single.set(server, found)
    return found
  }
  const times = { ...defaultTimes, ...options.times }
  const onEnded = async ({ session, conversation }: Caller): Promise<void> => {
    // A session that its host named is more than this conversation.
    if (session.id === conversation) await options.gate.endSession(session)
  }
  const { heldRequests, gate, log = () => {} } = options
  const heldElsewhere = heldRequests && createHeldElsewhere({ requests: heldRequests, gate, log })
  const front = createHttpFront({ ...options, times, backendOf, onEnded, heldElsewhere })
  const pathOf = rememberLast(pathFrom)
  const handle = (request: FrontRequest, response: FrontResponse): boolean => {
    const path = pathOf(request.url ?? "/")
    if (path === null) return false
    if (isClosing) {
      response.writeHead(503, { "retry-after": "5", "content-length": 0 })
      response.end()
    } else void front(request, response, path)
    return true
  }
  return {
    handle,
    attachFastPath: (server) =>
      options.fastPath === false ? noFastPath : attachFastPath(server, handle, { comes: front.comes }),
    serveStdio: async (streams, server, identity) => {
      const backend = backendOf(server)
      if (backend === undefined) throw new Error(`There is no server called ${server}.`)
      await serveStdioFront(streams, backend, identity, { ...options, times })
    },
    servers: () =>
      backends.all().map(({ relay: { server, upstream, tools } }) => ({
        id: server.id,
        transport: server.transport,
        health: upstream.health(),
        stopped: backends.isStopped(server.id),
        tools: tools.names(),
        toolsCut: tools.cut(),
      })),
    serves: (server) => backends.get(server) !== undefined,
    restart: backends.restart,
    stop: backends.stop,
    start: async (server) => {
      if (!(await backends.restart(server))) return false
      const backend = backends.get(server)
      // Failures of this look are reported as part of the server's health.
      if (backend !== undefined) await look(backend)
      return true
    },
    call: async (call, withinMs) => {
      const backend = backendOf(call.tool.server)
      return backend === undefined ? null : ownCall(backend, call, withinMs)
    },
    whyNotRun: (approval) => {
      const backend = backends.get(approval.tool.server)
      return backend === undefined ? undefined : whyNotRun(backend.relay, approval)
    },
    prepareRun: async (approval) => {
      const backend = backends.get(approval.tool.server)
      return backend === undefined ? null : prepareRun(backend.relay, approval)
    },
    toolsForRun: async (servers, who, needed) => {
      const found = servers.flatMap((server) => backends.get(server) ?? [])
      const missing = servers.filter((server) => backends.get(server) === undefined)
      const ids = backends.all().map(({ relay }) => relay.server.id)
      const { tools, unreachable } = await toolsForRun(found, who, ids, needed === undefined ? {} : { needed })
      const unknown = missing.map((server) => ({ server, detail: "There is no such server." }))
      return { tools, unreachable: [...unreachable, ...unknown] }
    },
    changes: backends.context.visibility.changes,
    prepareRunCall: async (id, call, changes) => {
      const backend = backends.get(call.tool.server)
      return backend === undefined ? null : prepareRunCall(backend.relay, id, call, changes)
    },
    discover: async () => new Map(await Promise.all(backends.all().map(look))),
    replaceServers: backends.replace,
    isListening: lasting.isListening,
    endRevoked: front.endRevoked,
    counts: () => {
      const { conversations, open } = front.counts()
      const links = backends.all().reduce((sum, { relay }) => sum + relay.upstream.health().links, 0)
      return { conversations, open, links }
    },
    close: async (withinMs = lastWordsMs) => {
      isClosing = true
      front.close()
      await lasting.idle(withinMs)
      await backends.close()
    },
  }
}

/** How long what runs may take to end once the gateway closes. */
const lastWordsMs = 5_000

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

/** One request after the other asks for the same path. */
function rememberLast(read: typeof pathFrom): typeof pathFrom {
  let last = ""
  let path = read(last)
  return (url) => {
    if (url !== last) path = read(url)
    last = url
    return path
  }
}

async function look(backend: ServerBackend): Promise<readonly [string, string | null]> {
  const { id } = backend.relay.server
  try {
    await backend.relay.connections.common().tools.tools()
    return [id, null]
  } catch (cause) {
    return [id, cause instanceof Error ? cause.message : String(cause)]
  }
}
