/**
 * Listings, as a caller may see them.
 *
 * I1. What policy hides is in no listing: tools, prompts, resources and their templates alike.
 * I2. A caller reads the definitions that were accepted, each name once.
 * I3. What one caller may see goes into no shared cache.
 */
import type { JsonObject, JsonValue, TargetKind } from "@byleave/core"
import type { Caller } from "../wire/caller.ts"
import { asObject, listAt, memberAt, textAt, without } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import type { Routed } from "./route.ts"
import { orUnreachable, passOn, type ServerRelay } from "./server-relay.ts"
import type { ToolMap } from "./tool-list.ts"

/** What each listing lists, and by which of its members policy knows it. */
const listings = new Map<string, { readonly member: string; readonly kind: TargetKind; readonly name: string }>([
  ["tools/list", { member: "tools", kind: "tool", name: "name" }],
  ["prompts/list", { member: "prompts", kind: "prompt", name: "name" }],
  ["resources/list", { member: "resources", kind: "resource", name: "uri" }],
  ["resources/templates/list", { member: "resourceTemplates", kind: "resource", name: "uriTemplate" }],
])

/** A page as the server gives it, without what policy hides from this caller. */
export async function listNames(routed: Routed): Promise<Reply> {
  const { relay, caller, place } = routed
  const { ask } = routed.exchange
  const reply = await passOn(routed)
  if (reply.kind === "error") return reply
  if (ask.method !== "tools/list") return shownTo(relay, caller, ask.method, reply.result)
  return orUnreachable(relay, async () => {
    const { tools } = place
    await tools.seePage(memberAt(ask.params, "cursor"), reply.result)
    const known = await tools.tools()
    const offered = await relay.tools.offered(known)
    place.listChanges.listed(offered)
    const page = asOffered(reply.result, offered)
    const isLast = tools.isCut() && isBeyond(reply.result, known)
    return shownTo(relay, caller, ask.method, isLast ? without(page, ["nextCursor"]) : page)
  })
}

/** The page in the definitions that were accepted, each name once: the server's own words of now reach nobody before that. */
function asOffered(result: JsonObject, offered: ToolMap): JsonObject {
  const listed = listAt(result, "tools")
  if (listed === undefined) return result
  const names = new Set(listed.map((entry) => textAt(asObject(entry), "name") ?? ""))
  return { ...result, tools: [...names].flatMap((name) => offered.get(name) ?? []) }
}

/** A page with tools beyond the limit is the last one: nobody is sent through the rest of a list that is not offered. */
function isBeyond(result: JsonObject, known: ToolMap): boolean {
  return listAt(result, "tools")?.length !== listAt(asOffered(result, known), "tools")?.length
}

async function shownTo(relay: ServerRelay, caller: Caller, method: string, result: JsonObject): Promise<Reply> {
  const listing = listings.get(method)
  const listed = listing === undefined ? undefined : listAt(result, listing.member)
  if (listing === undefined || listed === undefined) return { kind: "result", result }
  const hidden = await Promise.all(listed.map((entry) => isHidden(relay, caller, listing, entry)))
  const shown = hidden.includes(true) ? listed.filter((_, at) => hidden[at] === false) : listed
  // What one caller may see, another may not: no shared cache may keep it.
  const scope = result.cacheScope === "public" ? { cacheScope: "private" } : {}
  return { kind: "result", result: { ...result, ...scope, [listing.member]: shown } }
}

function isHidden(
  relay: ServerRelay,
  caller: Caller,
  listing: { readonly kind: TargetKind; readonly name: string },
  entry: JsonValue,
): Promise<boolean> {
  const name = textAt(asObject(entry), listing.name) ?? ""
  return relay.context.visibility.isHidden({ server: relay.server.id, kind: listing.kind, name }, caller)
}
