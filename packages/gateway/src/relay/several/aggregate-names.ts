/**
 * The lists of all servers, under names that tell them apart. Tools and prompts get names of the aggregate, looked up and never split;
 * resources keep their URIs, and belong to the first server, in the order of the configuration, that lists them.
 *
 * I1. A name leads to the tool that it was made for, or to none.
 * I2. A server that lists nothing now takes nothing from the others.
 * I3. A call waits for no other server than the one its name leads to.
 */
import { asObject, type JsonObject, listAt, type ToolRef, textAt } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import type { Exchange } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import { mayLeadTo, type ToolNames, toolNames } from "../../wire/names/tool-names.ts"
import type { ServerBackend } from "../server-backend.ts"
import { withAllowedAbilities } from "../talk/allowed-abilities.ts"
import { defaultToolListLimits } from "../tools/read-tools.ts"
import type { ToolList, ToolMap } from "../tools/tool-list.ts"
import { inTime } from "./in-time.ts"
import { listKnownTools } from "./list-names.ts"

export type ListedNames = { readonly server: string; readonly entry: JsonObject }

/** Of one server's list, as with tools: what lies beyond is not offered on the path of all servers. */
const { pages: mostPages, tools: mostEntries, bytes: mostBytes } = defaultToolListLimits

/**
 * Every page of every server's list, as this caller may see it. A server that fails leaves the others working, and so does one that takes longer than `withinMs`: of
 * its tools those are listed that were known last, and its client hears of a change once it has answered.
 */
export async function listEverywhere(
  backends: readonly ServerBackend[],
  exchange: Exchange,
  method: string,
  member: string,
  withinMs: number,
): Promise<readonly ListedNames[]> {
  const lists = await Promise.all(
    backends.map(async (backend) => {
      const server = backend.relay.server.id
      try {
        const listing = listOne(backend, exchange, method, member)
        const entries = await inTime(listing, withinMs)
        if (entries === null) hearOnce(listing, backend, exchange.caller, method)
        const listed = entries ?? (method === "tools/list" ? await lastTools(backend, exchange.caller) : [])
        return listed.map((entry) => ({ server, entry }))
      } catch (error) {
        backend.relay.context.log(`${server} is missing from ${method}: ${String(error)}`)
        return []
      }
    }),
  )
  return lists.flat()
}

async function listOne(
  backend: ServerBackend,
  exchange: Exchange,
  method: string,
  member: string,
): Promise<readonly JsonObject[]> {
  return (await offers(backend, exchange.caller, method)) ? listAll(backend, exchange, method, member) : []
}

/** A late list was left out of the reply: listeners are notified once it has come. */
function hearOnce(late: Promise<unknown>, { relay }: ServerBackend, caller: Caller, method: string): void {
  const { id } = relay.server
  relay.context.log(`${id} takes long to answer ${method}; the others do not wait for it.`)
  late
    .then(
      () =>
        relay.connections
          .of(caller)
          .listeners.hear({ method: `notifications/${method.replace(/\/.*/, "")}/list_changed` }),
      (error: unknown) => relay.context.log(`${id} is missing from ${method}: ${String(error)}`),
    )
    .catch((error: unknown) => relay.context.log(`${id}: ${String(error)}`))
}

async function lastTools(backend: ServerBackend, caller: Caller): Promise<readonly JsonObject[]> {
  const known = (await toolListOf(backend, caller)).last()
  return known === null ? [] : listKnownTools(backend.relay, caller, known)
}

async function offers(backend: ServerBackend, caller: Caller, method: string): Promise<boolean> {
  const { capabilities } = await backend.hello(caller)
  return Object.hasOwn(capabilities, method.slice(0, method.indexOf("/")))
}

async function listAll(
  backend: ServerBackend,
  exchange: Exchange,
  method: string,
  member: string,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = []
  const { _meta } = exchange.ask.params ?? {}
  const meta: JsonObject = _meta === undefined ? {} : { _meta }
  let params = meta
  let bytes = 0
  for (let page = 0; page < mostPages; page += 1) {
    const reply: Reply = await backend.handle({ ...exchange, ask: { method, params } })
    if (reply.kind === "error") throw new Error(reply.error.message)
    for (const entry of listAt(reply.result, member) ?? []) {
      const listed = asObject(entry)
      if (listed === undefined) continue
      bytes += JSON.stringify(listed).length
      if (entries.length >= mostEntries || bytes > mostBytes) return entries
      entries.push(listed)
    }
    const cursor = textAt(reply.result, "nextCursor")
    if (cursor === undefined) break
    params = { ...meta, cursor }
  }
  return entries
}

/** Of prompts, by server: only what has a name can have one. */
export function promptNames(listed: readonly ListedNames[], servers: readonly string[]): NamesOfServer {
  const names = new Map(
    Array.from(
      Map.groupBy(listed, ({ server }) => server),
      ([server, entries]) => [
        server,
        toolNames(
          server,
          entries.flatMap(({ entry }) => textAt(entry, "name") ?? []),
          servers,
        ),
      ],
    ),
  )
  return (server) => names.get(server)
}

export type NamesOfServer = (server: string) => ToolNames | undefined

/** The list as the aggregate shows it. */
export function renamed(listed: readonly ListedNames[], names: NamesOfServer): readonly JsonObject[] {
  return listed.flatMap(({ server, entry }) => {
    const name = names(server)?.nameOf(textAt(entry, "name") ?? "")
    return name === undefined ? [] : [{ ...entry, name }]
  })
}

/** The servers whose names this one could be. */
export function ledTo(backends: readonly ServerBackend[], name: string): readonly ServerBackend[] {
  return backends.filter(({ relay }) => mayLeadTo(name, relay.server.id))
}

/** Names of all tools, hidden ones too, so that hiding one renames no other. */
export type AggregateNames = {
  /** The tool that a name leads to: by what its server listed last, else by what it lists now. */
  readonly find: (backends: readonly ServerBackend[], caller: Caller, name: string) => Promise<ToolRef | undefined>
  /** By what each server listed last. */
  readonly known: (backends: readonly ServerBackend[], caller: Caller) => Promise<NamesOfServer>
}

export function createAggregateNames(): AggregateNames {
  // Servers may list something else to clients that can do something else: each list has its names.
  const made = new WeakMap<ToolMap, { readonly servers: string; readonly names: ToolNames }>()
  const namesOf = (server: string, tools: ToolMap, ids: readonly string[]): ToolNames => {
    const servers = ids.join("\n")
    const known = made.get(tools)
    if (known?.servers === servers) return known.names
    const names = toolNames(server, tools.keys(), ids)
    made.set(tools, { servers, names })
    return names
  }
  return {
    find: async (backends, caller, name) => {
      const ids = backends.map(({ relay }) => relay.server.id)
      const toolIn = (server: string, tools: ToolMap): string | undefined => namesOf(server, tools, ids).toolOf(name)
      for (const look of [knownAt, listedAt]) {
        for (const backend of ledTo(backends, name)) {
          const tool = await look(backend, caller, toolIn)
          if (tool !== undefined) return { server: backend.relay.server.id, tool }
        }
      }
      return undefined
    },
    known: async (backends, caller) => {
      const ids = backends.map(({ relay }) => relay.server.id)
      const names = new Map<string, ToolNames>()
      for (const backend of backends) {
        const server = backend.relay.server.id
        const tools = await toolListOf(backend, caller).then(
          (list) => list.last(),
          () => null,
        )
        if (tools !== null) names.set(server, namesOf(server, tools, ids))
      }
      return (server) => names.get(server)
    },
  }
}

type Look = (
  backend: ServerBackend,
  caller: Caller,
  toolIn: (server: string, tools: ToolMap) => string | undefined,
) => Promise<string | undefined>

/** In the list that was read last, whether or not it still holds: a call is judged by the one that is read for it. */
const knownAt: Look = async (backend, caller, toolIn) => {
  const last = (await toolListOf(backend, caller)).last()
  return last === null ? undefined : toolIn(backend.relay.server.id, last)
}

/** In what the server lists now. */
const listedAt: Look = async (backend, caller, toolIn) => {
  const { relay } = backend
  const { id } = relay.server
  try {
    const list = await toolListOf(backend, caller)
    return toolIn(id, await list.tools()) ?? toolIn(id, await list.again())
  } catch (error) {
    relay.context.log(`${id} lists no tools: ${String(error)}`)
    return undefined
  }
}

async function toolListOf({ relay }: ServerBackend, caller: Caller): Promise<ToolList> {
  return relay.connections.of(await withAllowedAbilities(relay.context.visibility, relay.server.id, caller)).tools
}
