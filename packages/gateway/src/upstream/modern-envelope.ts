import type { JsonObject, JsonValue } from "@byleave/core"
import type { ClientInfo } from "../wire/caller.ts"
import { asObject, textAt, without } from "../wire/members.ts"
import type { Ask } from "../wire/message.ts"

export const modernVersion = "2026-07-28"

const versionKey = "io.modelcontextprotocol/protocolVersion"
const abilitiesKey = "io.modelcontextprotocol/clientCapabilities"
const clientKey = "io.modelcontextprotocol/clientInfo"
const logLevelKey = "io.modelcontextprotocol/logLevel"

/** The request as a modern server wants it: it says by itself who asks. What it says already stays. */
export function withEnvelope(ask: Ask, abilities: JsonObject, client: ClientInfo): Ask {
  const given = asObject(ask.params?._meta)
  if (given !== undefined && [versionKey, abilitiesKey, clientKey].every((key) => Object.hasOwn(given, key))) return ask
  const meta: JsonObject = {
    [versionKey]: modernVersion,
    [abilitiesKey]: abilities,
    [clientKey]: client,
    ...given,
  }
  return { ...ask, params: { ...ask.params, _meta: meta } }
}

/** The request as a legacy server wants it: such a server takes an envelope for a claim to another revision. */
export function withoutEnvelope(ask: Ask): Ask {
  const meta = asObject(ask.params?._meta)
  if (meta === undefined || !Object.hasOwn(meta, versionKey)) return ask
  const rest = without(meta, [versionKey, abilitiesKey, clientKey, logLevelKey])
  const params: JsonObject = { ...ask.params, _meta: rest }
  return { ...ask, params: Object.keys(rest).length === 0 ? without(params, ["_meta"]) : params }
}

/** The headers that repeat what the body says, and those that repeat arguments. */
export function modernHeaders(ask: Ask, paramHeaders?: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const version = textAt(asObject(ask.params?._meta), versionKey) ?? modernVersion
  const headers = new Map([
    ["mcp-protocol-version", headerValue(version)],
    ["mcp-method", headerValue(ask.method)],
  ])
  const name = nameOf(ask)
  if (typeof name === "string") headers.set("mcp-name", headerValue(name))
  for (const [key, value] of paramHeaders ?? []) {
    // Nothing but these: a name from outside must not replace a credential.
    if (/^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(key) && isSafe(value)) headers.set(key.toLowerCase(), value)
  }
  return headers
}

function nameOf(ask: Ask): JsonValue | undefined {
  switch (ask.method) {
    case "tools/call":
    case "prompts/get":
      return ask.params?.name
    case "resources/read":
      return ask.params?.uri
    default:
      return ask.method.startsWith("tasks/") ? ask.params?.taskId : undefined
  }
}

// What a header cannot carry unharmed, or would be taken for an encoded value, is encoded.
function headerValue(text: string): string {
  const plain = isSafe(text) && text.trim() === text && !/^=\?base64\?.*\?=$/is.test(text)
  return plain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`
}

function isSafe(text: string): boolean {
  return /^[\x20-\x7e\t]*$/.test(text)
}
