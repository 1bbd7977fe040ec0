/**
 * The client abilities that a server is told: only those that policy would let it use. A client whose abilities are all refused needs no
 * connection of its own, and shares one with others.
 */
import { type JsonObject, without } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import type { Visibility } from "../tools/visibility.ts"

/** By what policy says of them; tasks are those of tools. */
const askedOf = [
  { ability: "roots", kind: "roots", name: "roots" },
  { ability: "sampling", kind: "sampling", name: "sampling" },
  { ability: "elicitation", kind: "elicitation", name: "elicitation" },
  { ability: "tasks", kind: "tool", name: "" },
] as const

/** The same caller where nothing is refused, which is nearly always. */
export function withAllowedAbilities(visibility: Visibility, server: string, caller: Caller): Caller | Promise<Caller> {
  const declared = askedOf.filter(({ ability }) => Object.hasOwn(caller.abilities, ability))
  return declared.length === 0 ? caller : withoutRefused(visibility, server, caller, declared)
}

async function withoutRefused(
  visibility: Visibility,
  server: string,
  caller: Caller,
  declared: ReadonlyArray<(typeof askedOf)[number]>,
): Promise<Caller> {
  const effects = await Promise.all(declared.map(({ kind, name }) => visibility.effect({ server, kind, name }, caller)))
  const refused = declared.filter((_, at) => effects[at] === "hide" || effects[at] === "deny")
  if (refused.length === 0) return caller
  const abilities: JsonObject = without(
    caller.abilities,
    refused.map(({ ability }) => ability),
  )
  return { ...caller, abilities }
}
