/**
 * The facts about a client that a server is told besides its requests, which nobody is shown and no rule is about.
 *
 * I1. Of what a client can do, a server is told what MCP has a word for, in MCP's own words: nothing that the client words itself.
 * I2. Of what a client is, it is told a name and a version, and no more of them than names have.
 */
import { asObject, type JsonObject, type JsonValue, memberAt } from "@byleave/core"
import type { ClientInfo, Era } from "./caller.ts"

/** `flag`: true or false. A list: those of its texts that the client has. */
type Shape = "flag" | readonly string[] | { readonly [name: string]: Shape }

const none = {}
const asked: Shape = {
  sampling: { context: none, tools: none },
  elicitation: { form: { applyDefaults: "flag" }, url: none },
}
const ui: Shape = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } }
const requests: Shape = { sampling: { createMessage: none }, elicitation: { create: none } }

const shapes: Readonly<Record<Era, Shape>> = {
  legacy: {
    ...asked,
    roots: { listChanged: "flag" },
    tasks: { list: none, cancel: none, requests },
    extensions: ui,
  },
  modern: { ...asked, roots: none, extensions: { ...ui, "io.modelcontextprotocol/tasks": none } },
}

/** In the words of the server's era. */
export function abilitiesForServer(era: Era, abilities: JsonObject): JsonObject {
  for (const _ in abilities) return asObject(fitting(shapes[era], abilities)) ?? {}
  return abilities
}

function fitting(shape: Shape, given: JsonValue): JsonValue | undefined {
  if (shape === "flag") return typeof given === "boolean" ? given : undefined
  if (Array.isArray(shape)) return Array.isArray(given) ? shape.filter((text) => given.includes(text)) : undefined
  const object = asObject(given)
  if (object === undefined) return undefined
  const kept = Object.entries(shape).flatMap(([name, inner]): ReadonlyArray<[string, JsonValue]> => {
    const value = memberAt(object, name)
    const fits = value === undefined ? undefined : fitting(inner, value)
    return fits === undefined ? [] : [[name, fits]]
  })
  return Object.fromEntries(kept)
}

const longest = 100

/** The same object where it says no more, as most do. */
export function clientForServer(client: ClientInfo): ClientInfo {
  const { name, version } = client
  const isShort = name.length <= longest && version.length <= longest
  if (isShort && Object.keys(client).length === 2) return client
  return { name: name.slice(0, longest), version: version.slice(0, longest) }
}
