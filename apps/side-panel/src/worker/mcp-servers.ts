/**
 * Connections to MCP servers over streamable HTTP, one for each server while the worker lives.
 *
 * I1. A connection serves the address and the headers that it was opened with: for others there is a new one.
 * I2. A call goes to the address that it was judged for. If its server is removed or at another one by then, it is not sent.
 */

import type { ToolDefinition } from "@byleave/core"
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { noteHealth } from "../settings/server-health.ts"
import { headersOf, type KeptServer, originPattern, readSettings } from "../settings/settings.ts"
import type { ListedServer } from "../wire/messages.ts"
import { shortWords } from "../wire/short-words.ts"
import { CallRefused, type ServerLink } from "./carry-out.ts"
import { callTool, listTools, newMcpClient, TooLong } from "./mcp-client.ts"
import { callNotebook, notebook, notebookId } from "./notebook.ts"
import { connectionWords } from "./plain-words.ts"
import { createSendOnce } from "./send-once.ts"

const connectMs = 20_000
export type McpServers = {
  readonly connect: (server: string, address: string | null) => Promise<ServerLink>
  readonly list: (server: string) => Promise<ListedServer>
  /** Lists a server that is not kept yet, and forgets it. */
  readonly tryOut: (candidate: KeptServer) => Promise<ListedServer>
  readonly disconnect: (server: string) => Promise<void>
}

export function createMcpServers(): McpServers {
  const open = new Map<string, { readonly kept: KeptServer; readonly client: Promise<Client> }>()
  /** The tools that a connection listed last. */
  const known: KnownTools = new WeakMap()
  const clientOf = (kept: KeptServer): Promise<Client> => {
    const found = open.get(kept.id)
    if (found !== undefined && isSame(found.kept, kept)) return found.client
    if (found !== undefined) void disconnect(kept.id)
    const forget = (): void => {
      if (open.get(kept.id)?.client === client) open.delete(kept.id)
    }
    const client = openKept(kept, forget)
    open.set(kept.id, { kept, client })
    client.catch(forget)
    return client
  }
  const disconnect = async (server: string): Promise<void> => {
    const found = open.get(server)
    open.delete(server)
    await found?.client.then((client) => client.close()).catch(() => {})
  }
  return {
    connect: async (server, address) => {
      if (server === notebookId) return { call: callNotebook }
      const kept = await keptServer(server)
      if (kept.url !== address) throw new Unreachable(otherAddress(server))
      const client = await clientOf(kept)
      const definitions = known.get(client) ?? (await listOf(client, known, kept)).tools
      return {
        call: async (name, args, signal) => {
          const now = await keptServer(server).catch(() => null)
          if (now === null || !isSame(now, kept)) throw new CallRefused(otherAddress(server))
          const definition = definitions.find((tool) => tool.name === name)
          return callTool(client, { name, args, ...(definition === undefined ? {} : { definition }) }, signal)
        },
      }
    },
    list: async (server) => {
      if (server === notebookId) return notebook
      const kept = await keptServer(server)
      try {
        const listed = await listOf(await clientOf(kept), known, kept)
        const { title, icon } = listed
        await noteHealth(server, { state: "connected", lastConnectedAt: Date.now(), lastError: null, title, icon })
        return listed
      } catch (error) {
        await disconnect(server)
        const words =
          error instanceof Unreachable || error instanceof TooLong ? error.message : connectionWords(error, kept.url)
        await noteHealth(server, { state: "failing", lastError: words })
        throw new Unreachable(words)
      }
    },
    tryOut: async (candidate) => {
      const client = await openClient(candidate, () => undefined)
      try {
        return await listOf(client, known, candidate)
      } catch (error) {
        throw new Unreachable(error instanceof TooLong ? error.message : connectionWords(error, candidate.url))
      } finally {
        await client.close().catch(() => {})
      }
    },
    disconnect,
  }
}

type KnownTools = WeakMap<Client, readonly ToolDefinition[]>

async function listOf(client: Client, known: KnownTools, { url }: KeptServer): Promise<ListedServer> {
  const tools = await listTools(client)
  known.set(client, tools)
  return { tools, ...wordsOf(client), address: url }
}

/** Words for people. */
class Unreachable extends Error {
  override readonly name = "Unreachable"
}

async function keptServer(id: string): Promise<KeptServer> {
  const found = (await readSettings()).servers.find((server) => server.id === id)
  if (found === undefined) throw new Unreachable(`There is no server called ${id} any more.`)
  return found
}

function isSame(one: KeptServer, other: KeptServer): boolean {
  return one.url === other.url && one.headers === other.headers && one.addedAt === other.addedAt
}

function otherAddress(server: string): string {
  return `${server} was removed, or is at another address than the call was meant for. It was not sent.`
}

async function openKept(kept: KeptServer, onGone: () => void): Promise<Client> {
  const { id } = kept
  try {
    const client = await openClient(kept, onGone)
    await noteHealth(id, { state: "connected", lastConnectedAt: Date.now(), lastError: null })
    return client
  } catch (error) {
    if (error instanceof Unreachable) await noteHealth(id, { state: "failing", lastError: error.message })
    throw error
  }
}

async function openClient(kept: KeptServer, onGone: () => void): Promise<Client> {
  const origins = [originPattern(kept.url)]
  if (!(await chrome.permissions.contains({ origins }))) {
    throw new Unreachable(`Chrome does not let the panel reach ${new URL(kept.url).host} yet. Allow it under Servers.`)
  }
  const headers = await headersOf(kept)
  if (headers === null) throw new Unreachable("Its headers cannot be read in this browser any more. Enter them again.")
  const client = newMcpClient()
  client.onclose = onGone
  const transport = new StreamableHTTPClientTransport(new URL(kept.url), {
    requestInit: { headers: { ...headers }, credentials: "omit" },
    fetch: createSendOnce((url, init) => fetch(url, { ...init, credentials: "omit", redirect: "error" })),
  })
  try {
    await client.connect(transport, { timeout: connectMs })
    return client
  } catch (error) {
    await transport.close().catch(() => {})
    throw new Unreachable(connectionWords(error, kept.url))
  }
}

const mostIcon = 64_000
const mostTitle = 200
const mostInstructions = 20_000

function wordsOf(client: Client): Pick<ListedServer, "instructions" | "title" | "icon"> {
  const info = client.getServerVersion()
  const icon = info?.icons?.find(({ src }) => /^data:image\/(?:png|svg\+xml|webp|jpeg);/.test(src))?.src ?? null
  return {
    instructions: client.getInstructions()?.slice(0, mostInstructions) ?? null,
    title: info === undefined ? null : shortWords(info.title ?? info.name, mostTitle),
    icon: icon !== null && icon.length <= mostIcon ? icon : null,
  }
}
