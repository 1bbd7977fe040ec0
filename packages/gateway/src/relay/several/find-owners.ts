/**
 * The servers that addresses of resources belong to, on the path of all servers.
 *
 * I1. Servers are asked for their lists alone: nothing else of a request reaches a server before it is known to be that server's, and judged.
 * I2. However many templates servers list, and however long, other requests are answered while addresses are compared with them, and the work has an end.
 */
import { setImmediate } from "node:timers/promises"
import { type LoopTurns, longestName, textAt } from "@byleave/core"
import type { Exchange } from "../../wire/exchange.ts"
import type { Backends } from "../backends.ts"
import type { ServerBackend } from "../server-backend.ts"
import { type ListedNames, listEverywhere } from "./aggregate-names.ts"
import type { ResourceOwners } from "./resource-owners.ts"
import { mayExpandTo } from "./uri-template.ts"

/** `withinMs`: how long lists are waited for. */
export type OwnerSearch = Pick<Backends, "all" | "get"> & {
  readonly owners: ResourceOwners
  readonly withinMs: number
}

/** The owner of each address that has one: the server that the caller was told of; of what it was not told, the first that lists it. */
export async function findOwners(
  { all, get, owners, withinMs }: OwnerSearch,
  exchange: Exchange,
  uris: Iterable<string>,
): Promise<ReadonlyMap<string, ServerBackend>> {
  const found = new Map<string, ServerBackend>()
  const left = new Set<string>()
  const settle = (uri: string, server: string | undefined): void => {
    const backend = server === undefined ? undefined : get(server)
    if (backend === undefined) return void left.add(uri)
    found.set(uri, backend)
    left.delete(uri)
  }
  for (const uri of uris) {
    // Nobody lists a longer one.
    if (uri.length <= longestName) settle(uri, owners.of(exchange.caller.principal.id, uri))
  }
  const list = (method: string, member: string): Promise<readonly ListedNames[]> =>
    left.size === 0
      ? Promise.resolve([])
      : listEverywhere(all(), { ...exchange, ask: { method, params: {} } }, method, member, withinMs)
  for (const { server, entry } of await list("resources/list", "resources")) {
    const uri = textAt(entry, "uri")
    if (uri !== undefined && left.has(uri)) settle(uri, server)
  }
  const templates = await list("resources/templates/list", "resourceTemplates")
  const compare = comparing(templates, () => setImmediate())
  for (const uri of [...left]) settle(uri, await compare(uri))
  return found
}

/** In characters of addresses and templates; what lies beyond is nobody's. */
const mostCompared = 200_000_000
/** So many are compared at once: a few milliseconds. */
const mostInTurn = 2_000_000

/** Gives the first server with a template that an address fits. `nextTurn`: as of turns. */
export function comparing(
  templates: readonly ListedNames[],
  nextTurn: LoopTurns["nextTurn"],
): (uri: string) => Promise<string | undefined> {
  let compared = 0
  let inTurn = 0
  return async (uri) => {
    for (const { server, entry } of templates) {
      const template = textAt(entry, "uriTemplate") ?? ""
      if (template === uri || mayExpandTo(template, uri)) return server
      compared += template.length + uri.length
      inTurn += template.length + uri.length
      if (compared > mostCompared) return undefined
      if (inTurn < mostInTurn) continue
      await nextTurn()
      inTurn = 0
    }
    return undefined
  }
}
