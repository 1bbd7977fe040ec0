import { asObject, type JsonValue, textAt } from "@byleave/core"
import { envelopeKey } from "../../wire/envelope.ts"
import { encodeHeaderValue } from "../../wire/headers/header-value.ts"
import type { Ask } from "../../wire/message.ts"
import { newestModern } from "../../wire/versions.ts"

/** The headers that repeat what the body says, and those that repeat arguments. */
export function modernHeaders(ask: Ask, paramHeaders?: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const version = textAt(asObject(ask.params?._meta), envelopeKey.version) ?? newestModern
  const headers = new Map([
    ["mcp-protocol-version", encodeHeaderValue(version)],
    ["mcp-method", encodeHeaderValue(ask.method)],
  ])
  const name = nameOf(ask)
  if (typeof name === "string") headers.set("mcp-name", encodeHeaderValue(name))
  for (const [key, value] of paramHeaders ?? []) {
    // Nothing but these: a name from outside must not replace a credential.
    if (/^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(key) && fieldValue.test(value))
      headers.set(key.toLowerCase(), value)
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

const fieldValue = /^[\t\x20-\x7e]*$/
