/**
 * Listings, as a caller may see them.
 *
 * I1. What policy hides is in no listing: tools, prompts, resources and their templates alike.
 * I2. A caller reads the definitions that were accepted, each name once.
 * I3. What one caller may see goes into no shared cache.
 * I4. A listing is built from the members it has in MCP, each of its type: nothing else that a server writes there reaches anyone, in whatever
 *     spelling.
 * I5. A server that is closed as a whole hears nothing of what a caller writes; where all of it is hidden, it hears nothing at all.
 * I6. What the gateway lists for an agent takes that agent's share of the server, and once however often it asks at a time.
 * I7. Tools are listed without a client's name or `_meta`: their list is that of all clients on the connection.
 */
import {
  asObject,
  inTurns,
  type JsonObject,
  type JsonValue,
  listAt,
  memberAt,
  type TargetKind,
  textAt,
  without,
} from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import { isWanted } from "../../wire/exchange.ts"
import type { Ask, Reply } from "../../wire/message.ts"
import { ownRequest } from "../own-request.ts"
import { methodNotFound, type Routed, withItsConnection } from "../route.ts"
import { orUnreachable, passOn, type ServerRelay } from "../server-relay.ts"
import { closingOf } from "../talk/closing.ts"
import { judgedError } from "../talk/final-reply.ts"
import type { ToolMap } from "../tools/tool-list.ts"
import { withCursors } from "./cursors.ts"
import { loopShare } from "./loop-share.ts"

type Listing = { readonly member: string; readonly kind: TargetKind; readonly name: string }

/** The member of each listing's result, and the property by which policy knows an entry. */
const listings = new Map<string, Listing>([
  ["tools/list", { member: "tools", kind: "tool", name: "name" }],
  ["prompts/list", { member: "prompts", kind: "prompt", name: "name" }],
  ["resources/list", { member: "resources", kind: "resource", name: "uri" }],
  ["resources/templates/list", { member: "resourceTemplates", kind: "resource", name: "uriTemplate" }],
])

/** A page as the server gives it, without what policy hides from this caller. */
export async function listNames(routed: Routed): Promise<Reply> {
  const { relay, caller, exchange } = routed
  const listing = listings.get(exchange.ask.method)
  if (listing === undefined) return methodNotFound
  switch (await closingOf(relay, caller)) {
    case "open":
      return withCursors(routed, (asked) =>
        orUnreachable(relay, async () => listOpen(await withItsConnection(asked), listing)),
      )
    case "denied":
      return withCursors(routed, (asked) => orUnreachable(relay, () => listDenied(asked, listing)))
    case "hidden":
      return { kind: "result", result: { [listing.member]: [] } }
  }
}

async function listOpen(routed: Routed, listing: Listing): Promise<Reply> {
  const { relay, connection, exchange } = routed
  const reply = await passOn(listing.kind === "tool" ? asAnyone(routed) : routed, null)
  if (reply.kind === "error") return reply
  const page = pageOf(listing, reply.result)
  if (listing.kind !== "tool") return shownTo(routed, listing, page)
  return orUnreachable(relay, async () => {
    const { tools } = connection
    await tools.seePage(memberAt(exchange.ask.params, "cursor"), page)
    const known = await tools.tools()
    const offered = await relay.tools.offered(known)
    connection.listChanges.listed(offered)
    const told = asOffered(page, offered)
    const isLast = tools.isCut() && isBeyond(page, known)
    return shownTo(routed, listing, isLast ? without(told, ["nextCursor"]) : told)
  })
}

/** With nothing of its client but what all on its connection declare: the answer is what the tools of all of them are judged by. */
function asAnyone(routed: Routed): Routed {
  const { caller, exchange } = routed
  const { method, params } = exchange.ask
  const cursor = memberAt(params, "cursor")
  const ask = { method, params: cursor === undefined ? {} : { cursor } }
  return { ...routed, caller: { ...caller, client: null }, exchange: { ...exchange, ask } }
}

/** As the gateway itself knows or asks it, over the connection of nobody in particular. */
async function listDenied(routed: Routed, listing: Listing): Promise<Reply> {
  const { relay, caller, exchange } = routed
  if (listing.kind === "tool") {
    const offered = await relay.tools.offered(await relay.connections.common().tools.tools())
    return shownTo(routed, listing, { tools: [...offered.values()] })
  }
  const { method, params } = exchange.ask
  const cursor = memberAt(params, "cursor")
  const ask = { method, params: cursor === undefined ? {} : { cursor } }
  const reply = await askOnce(relay, caller.principal.id, ask)
  if (reply.kind === "error") return judgedError(routed, reply, exchange.withdrawn)
  return shownTo(routed, listing, pageOf(listing, reply.result))
}

const asking = new WeakMap<ServerRelay, Map<string, Promise<Reply>>>()

/** A request that a principal repeats while it is open is sent once, and takes the principal's own share of the server. */
function askOnce(relay: ServerRelay, principal: string, ask: Ask): Promise<Reply> {
  const open = asking.get(relay) ?? new Map<string, Promise<Reply>>()
  asking.set(relay, open)
  const key = JSON.stringify([principal, ask])
  const known = open.get(key)
  if (known !== undefined) return known
  const connection = relay.connections.common()
  const reply = connection.link().then((link) => ownRequest(link, ask, { principal }))
  open.set(key, reply)
  const over = (): void => void open.delete(key)
  reply.then(over, over)
  return reply
}

/** A list that is none is empty, and an entry without the member it is known by is no entry. */
function pageOf({ member, name }: Listing, result: JsonObject): JsonObject {
  const listed = (listAt(result, member) ?? []).filter((entry) => textAt(asObject(entry), name) !== undefined)
  const nextCursor = textAt(result, "nextCursor")
  const ttlMs = memberAt(result, "ttlMs")
  // Callers may see different entries: no shared cache may keep the list.
  const scope = memberAt(result, "cacheScope") === undefined ? {} : { cacheScope: "private" }
  return {
    [member]: listed,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(typeof ttlMs === "number" ? { ttlMs } : {}),
    ...scope,
  }
}

/** The page in the definitions that were accepted, each name once: the server's own words of now reach nobody before that. */
function asOffered(page: JsonObject, offered: ToolMap): JsonObject {
  const names = new Set((listAt(page, "tools") ?? []).map((entry) => textAt(asObject(entry), "name") ?? ""))
  return { ...page, tools: [...names].flatMap((name) => offered.get(name) ?? []) }
}

/** A page with tools beyond the limit is the last one: nobody is sent through the rest of a list that is not offered. */
function isBeyond(page: JsonObject, known: ToolMap): boolean {
  return listAt(page, "tools")?.length !== listAt(asOffered(page, known), "tools")?.length
}

/** The tools of a list that was read before, as this caller may see them now. */
export async function listKnownTools(
  relay: ServerRelay,
  caller: Caller,
  known: ToolMap,
): Promise<readonly JsonObject[]> {
  if ((await closingOf(relay, caller)) === "hidden") return []
  const offered = [...(await relay.tools.offered(known)).values()]
  const hidden = await Promise.all(
    offered.map(({ name }) =>
      relay.context.visibility.isHidden({ server: relay.server.id, kind: "tool", name }, caller),
    ),
  )
  return offered.filter((_, at) => hidden[at] === false)
}

async function shownTo({ relay, caller, exchange }: Routed, listing: Listing, page: JsonObject): Promise<Reply> {
  const listed = listAt(page, listing.member) ?? []
  const hidden = await inTurns(
    listed,
    (entry) => isHidden(relay, caller, listing, entry),
    loopShare.of(caller.principal.id),
    () => isWanted(exchange),
  )
  // Nobody hears it.
  if (hidden === null) return { kind: "result", result: { [listing.member]: [] } }
  const shown = hidden.includes(true) ? listed.filter((_, at) => hidden[at] === false) : listed
  return { kind: "result", result: { ...page, [listing.member]: shown } }
}

function isHidden(relay: ServerRelay, caller: Caller, listing: Listing, entry: JsonValue): Promise<boolean> {
  const name = textAt(asObject(entry), listing.name) ?? ""
  return relay.context.visibility.isHidden({ server: relay.server.id, kind: listing.kind, name }, caller)
}
