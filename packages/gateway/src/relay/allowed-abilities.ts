/**
 * What a server is told that a client can be asked: only what policy would let it ask. A client whose abilities are all refused needs no
 * connection of its own, and shares one with others.
 */
import type { JsonObject } from "@byleave/core"
import type { Caller } from "../wire/caller.ts"
import { without } from "../wire/members.ts"
import type { Visibility } from "./visibility.ts"

const askedOf = ["roots", "sampling", "elicitation"] as const

/** The same caller where nothing is refused, which is nearly always. */
export function withAllowedAbilities(visibility: Visibility, server: string, caller: Caller): Caller | Promise<Caller> {
  const declared = askedOf.filter((kind) => Object.hasOwn(caller.abilities, kind))
  return declared.length === 0 ? caller : withoutRefused(visibility, server, caller, declared)
}

async function withoutRefused(
  visibility: Visibility,
  server: string,
  caller: Caller,
  declared: ReadonlyArray<(typeof askedOf)[number]>,
): Promise<Caller> {
  const effects = await Promise.all(declared.map((kind) => visibility.effect({ server, kind, name: kind }, caller)))
  const refused = declared.filter((_, at) => effects[at] === "hide" || effects[at] === "deny")
  if (refused.length === 0) return caller
  const abilities: JsonObject = without(caller.abilities, refused)
  return { ...caller, abilities }
}
