/**
 * Listings, as a caller may see them.
 *
 * I1. What policy hides is in no listing: tools, prompts, resources and their templates alike.
 * I2. A caller reads the definitions that the gate has seen, each name once.
 * I3. What one caller may see goes into no shared cache.
 */
import type { JsonObject, JsonValue, TargetKind } from "@byleave/core"
import type { Caller } from "../wire/caller.ts"
import type { Exchange } from "../wire/exchange.ts"
import { asObject, listAt, memberAt, textAt } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import { destination, orUnreachable, passOn, type ServerRelay } from "./server-relay.ts"
import type { ToolMap } from "./tool-list.ts"

/** What each listing lists, and by which of its members policy knows it. */
const listings = new Map<string, { readonly member: string; readonly kind: TargetKind; readonly name: string }>([
  ["tools/list", { member: "tools", kind: "tool", name: "name" }],
  ["prompts/list", { member: "prompts", kind: "prompt", name: "name" }],
  ["resources/list", { member: "resources", kind: "resource", name: "uri" }],
  ["resources/templates/list", { member: "resourceTemplates", kind: "resource", name: "uriTemplate" }],
])

export function isListing(method: string): boolean {
  return listings.has(method)
}

/** A page as the server gives it, without what policy hides from this caller. */
export async function listNames(relay: ServerRelay, exchange: Exchange): Promise<Reply> {
  const { ask, caller } = exchange
  const reply = await passOn(relay, exchange)
  if (reply.kind === "error") return reply
  if (ask.method !== "tools/list") return shownTo(relay, caller, ask.method, reply.result)
  return orUnreachable(relay, async () => {
    const { tools } = destination(relay, caller).place
    await tools.seePage(memberAt(ask.params, "cursor"), reply.result)
    return shownTo(relay, caller, ask.method, asSeen(reply.result, await tools.tools()))
  })
}

/** The page in the definitions that the gate has seen, each name once: what a caller reads is what was pinned. */
function asSeen(result: JsonObject, seen: ToolMap): JsonObject {
  const listed = listAt(result, "tools")
  if (listed === undefined) return result
  const names = new Set(listed.map((entry) => textAt(asObject(entry), "name") ?? ""))
  return { ...result, tools: [...names].flatMap((name) => seen.get(name) ?? []) }
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
