/**
 * Which connection a caller's requests go over. Callers that declare the same share one; a client that a legacy server may ask something
 * has its own, so that a question always reaches the session whose call caused it.
 *
 * I1. A client that a legacy server may ask something shares its connection with no other conversation.
 * I2. No caller is given the place of another, whatever both declare.
 * I3. No principal has more connections of its own than allowed, and making room for one takes none of another.
 * I4. Whoever leaves ends its own connection and nobody else's.
 */
import type { JsonObject } from "@byleave/core"
import type { GatewayTimes } from "../gateway.ts"
import { LinkError, type LinkFor, type Upstream } from "../upstream/link.ts"
import type { Caller, Era } from "../wire/caller.ts"
import { objectAt } from "../wire/members.ts"
import type { Ask, Reply } from "../wire/message.ts"
import { newestLegacy } from "../wire/versions.ts"
import type { Attendants, MayHear } from "./attendants.ts"
import { createPlace, type Place } from "./place.ts"
import type { ServerTools } from "./server-tools.ts"

export type Places = {
  readonly of: (caller: Caller) => Place
  /** The connection of nobody in particular, for the gateway's own questions. */
  readonly common: () => Place
  readonly all: () => Iterable<Place>
  readonly leave: (caller: Caller) => void
  readonly close: () => void
}

export type PlacesPorts = {
  readonly upstream: Upstream
  readonly serverTools: ServerTools
  readonly refresh: boolean
  readonly times: GatewayTimes
  readonly now: () => number
  readonly log: (line: string) => void
  readonly mayHear: MayHear
  /** A question outside any request, from the server of the connection this caller opened. */
  readonly judged: (caller: Caller | null, ask: Ask, attendants: Attendants) => Promise<Reply>
}

/** What clients say of themselves is their word, and each connection may be a process: so many, and no more. */
const mostOwned = 100
const mostShared = 64

const asked = ["elicitation", "sampling", "roots", "tasks"]
const sweepMs = 60_000

export function createPlaces(ports: PlacesPorts): Places {
  const { upstream, times, now } = ports
  const places = new Map<string, Place & { readonly modern: boolean; readonly principal: string | null }>()
  // Of the whole server: places of several legacy revisions share one connection to a modern one.
  const sharers = new Set<string>()
  const at = (wanted: LinkFor, caller: Caller | null): Place => {
    const key = JSON.stringify([wanted.version, wanted.owner, wanted.abilities])
    const found = places.get(key)
    if (found !== undefined) return found
    if (wanted.owner !== null) makeRoom(caller?.principal.id ?? null)
    else if (hasAbilities(wanted) && countOf(null) >= mostShared) return at({ ...wanted, abilities: {} }, caller)
    const judged = (ask: Ask, attendants: Attendants): Promise<Reply> => ports.judged(caller, ask, attendants)
    const made = createPlace({ ...ports, wanted, key, judged, sharers })
    const principal = wanted.owner === null ? null : (caller?.principal.id ?? null)
    const place = { ...made, modern: caller?.era === "modern", principal }
    places.set(key, place)
    return place
  }
  const countOf = (principal: string | null): number =>
    [...places.values()].filter((place) => place.principal === principal).length
  // A principal that opens many gives up its own that was idle longest; where none is idle, it must wait.
  const makeRoom = (principal: string | null): void => {
    if (countOf(principal) < mostOwned) return
    const idle = [...places.values()].filter((place) => place.principal === principal && place.idleSince() !== null)
    const [longest] = idle.toSorted((one, other) => (one.idleSince() ?? 0) - (other.idleSince() ?? 0))
    if (longest === undefined) throw tooMany(upstream.id)
    places.delete(longest.key)
    longest.release()
  }
  // A caller asks for its place several times in one request, and what a legacy one declared is the same object in all of them.
  const lastOf = new WeakMap<JsonObject, Last>()
  const placeOf = (caller: Caller): Place => {
    const era = upstream.era()
    const last = lastOf.get(caller.abilities)
    if (
      last !== undefined &&
      last.era === era &&
      isSame(last.caller, caller) &&
      places.get(last.place.key) === last.place
    )
      return last.place
    const place = at(linkFor(caller, era), caller)
    lastOf.set(caller.abilities, { era, caller, place })
    return place
  }
  const sweep = (): void => {
    for (const [key, place] of places) {
      const idle = place.idleSince()
      const limit = place.owner !== null && place.modern ? times.parkedMs : times.conversationMs
      if (idle === null || now() - idle < limit) continue
      places.delete(key)
      place.release()
    }
  }
  const timer = setInterval(sweep, sweepMs)
  timer.unref()
  return {
    of: placeOf,
    common: () => at({ version: newestLegacy, client: null, abilities: {}, owner: null }, null),
    all: () => places.values(),
    leave: (caller) => {
      for (const [key, place] of places) {
        place.levels.forget(caller.conversation)
        const dropped = place.attendants.forget(caller.conversation)
        if (place.owner === caller.conversation) {
          places.delete(key)
          place.release()
        } else if (dropped.length > 0) {
          place.sync().catch(() => {})
        }
      }
    },
    close: () => {
      clearInterval(timer)
      for (const place of places.values()) place.release()
      places.clear()
    },
  }
}

type Last = { readonly era: Era | null; readonly caller: Caller; readonly place: Place }

/** Whether two callers that declared the same belong to one connection. */
function isSame(one: Caller, other: Caller): boolean {
  if (one === other) return true
  return one.conversation === other.conversation && one.version === other.version && one.era === other.era
}

function hasAbilities({ abilities }: LinkFor): boolean {
  return Object.keys(abilities).length > 0
}

function tooMany(server: string): LinkError {
  const words = `This agent has ${mostOwned} connections to ${server} in use. End a conversation before the next.`
  return new LinkError("unreachable", words)
}

function linkFor(caller: Caller, era: Era | null): LinkFor {
  const version = caller.era === "legacy" ? caller.version : newestLegacy
  const isAsked = asked.some((ability) => Object.hasOwn(caller.abilities, ability))
  if (isAsked && era !== "modern") {
    return { version, client: caller.client, abilities: legacyAbilities(caller), owner: caller.conversation }
  }
  return { version, client: null, abilities: sharedAbilities(caller), owner: null }
}

/** What a legacy server may be told; extensions are the modern era's. */
function legacyAbilities(caller: Caller): JsonObject {
  if (caller.era === "legacy") return caller.abilities
  return Object.fromEntries(Object.entries(caller.abilities).filter(([key]) => key !== "extensions"))
}

function sharedAbilities(caller: Caller): JsonObject {
  const experimental = objectAt(caller.abilities, "experimental")
  return caller.era === "modern" || experimental === undefined ? {} : { experimental }
}
