/**
 * What all servers list, under names that tell them apart. Tools and prompts get names of the aggregate, looked up and never split; resources
 * keep their URIs, and belong to the first server, in the order of the configuration, that lists them.
 *
 * I1. Names are made anew when any server lists something else: an old name never leads to a new tool.
 * I2. A server that lists nothing now takes nothing from the others.
 */
import { asObject, type JsonObject, listAt, type ToolRef, textAt } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import type { Exchange } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import { type ToolNames, toolNames } from "../../wire/tool-names.ts"
import type { ServerBackend } from "../server-backend.ts"
import { withAllowedAbilities } from "../talk/allowed-abilities.ts"
import { defaultToolListLimits } from "../tools/read-tools.ts"
import type { ToolMap } from "../tools/tool-list.ts"

export type ListedNames = { readonly server: string; readonly entry: JsonObject }

/** Of one server's list, as with tools: what lies beyond is not offered on the path of all servers. */
const { pages: mostPages, tools: mostEntries, bytes: mostBytes } = defaultToolListLimits

/** Every page of every server's list, as this caller may see it. A server that fails leaves the others working. */
export async function listEverywhere(
  backends: readonly ServerBackend[],
  exchange: Exchange,
  method: string,
  member: string,
): Promise<readonly ListedNames[]> {
  const lists = await Promise.all(
    backends.map(async (backend) => {
      const server = backend.relay.server.id
      try {
        if (!(await offers(backend, exchange.caller, method))) return []
        return (await listAll(backend, exchange, method, member)).map((entry) => ({ server, entry }))
      } catch (error) {
        backend.relay.context.log(`${server} is missing from ${method}: ${String(error)}`)
        return []
      }
    }),
  )
  return lists.flat()
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

/** Names for what is listed; only what has a name can have one. */
export function namesFor(listed: readonly ListedNames[]): ToolNames {
  return toolNames(listed.flatMap(refOf))
}

/** The list as the aggregate shows it. */
export function renamed(listed: readonly ListedNames[], names: ToolNames): readonly JsonObject[] {
  return listed.flatMap((one) => {
    const [ref] = refOf(one)
    const name = ref === undefined ? undefined : names.nameOf(ref)
    return name === undefined ? [] : [{ ...one.entry, name }]
  })
}

function refOf({ server, entry }: ListedNames): readonly ToolRef[] {
  const tool = textAt(entry, "name")
  return tool === undefined ? [] : [{ server, tool }]
}

type Catalogue = { readonly server: string; readonly tools: ToolMap }

/** Names of all tools, hidden ones too, so that hiding one renames no other; from what is known, or read `again`. */
export type AggregateNames = (backends: readonly ServerBackend[], caller: Caller, again: boolean) => Promise<ToolNames>

/** Of names for the same tools; each is gone over for every call. */
const mostMade = 8

export function createAggregateNames(): AggregateNames {
  // Servers may list something else to clients that can do something else.
  const made: Array<{ readonly catalogues: readonly Catalogue[]; readonly names: ToolNames }> = []
  return async (backends, caller, again) => {
    const catalogues = await Promise.all(backends.map((backend) => catalogueOf(backend, caller, again)))
    const known = made.find((one) => isSame(one.catalogues, catalogues))
    if (known !== undefined) return known.names
    const refs = catalogues.flatMap(({ server, tools }) => [...tools.keys()].map((tool) => ({ server, tool })))
    const names = toolNames(refs)
    made.unshift({ catalogues, names })
    made.splice(mostMade)
    return names
  }
}

async function catalogueOf(backend: ServerBackend, caller: Caller, again: boolean): Promise<Catalogue> {
  const server = backend.relay.server.id
  try {
    const { relay } = backend
    const { tools } = relay.connections.of(await withAllowedAbilities(relay.context.visibility, server, caller))
    return { server, tools: await (again ? tools.again() : tools.tools()) }
  } catch (error) {
    backend.relay.context.log(`${server} lists no tools: ${String(error)}`)
    return { server, tools: noTools }
  }
}

const noTools: ToolMap = new Map()

function isSame(some: readonly Catalogue[], others: readonly Catalogue[]): boolean {
  return some.length === others.length && some.every(({ tools }, at) => tools === others[at]?.tools)
}
