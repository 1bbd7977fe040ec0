/** The envelope of every modern request, in `params._meta`. */
import { asObject, type JsonObject, memberAt, objectAt, textAt, without } from "@byleave/core"
import type { ClientInfo } from "./caller.ts"

export const envelopeKey = {
  version: "io.modelcontextprotocol/protocolVersion",
  abilities: "io.modelcontextprotocol/clientCapabilities",
  client: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
} as const

export const serverInfoKey = "io.modelcontextprotocol/serverInfo"
export const subscriptionIdKey = "io.modelcontextprotocol/subscriptionId"

const envelopeKeys: readonly string[] = Object.values(envelopeKey)

export type Envelope = {
  readonly version: string
  readonly abilities: JsonObject
  readonly client: ClientInfo | null
  readonly logLevel: string | null
}

export type ReadEnvelope =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly key: string; readonly problem: string }

/** Whether a request claims to be modern: it names its revision itself. */
export function claimsEnvelope(params: JsonObject | undefined): boolean {
  const meta = objectAt(params, "_meta")
  return meta !== undefined && Object.hasOwn(meta, envelopeKey.version)
}

export function readEnvelope(params: JsonObject | undefined): ReadEnvelope {
  const meta = objectAt(params, "_meta")
  if (meta === undefined) return { ok: false, key: "_meta", problem: "missing" }
  const version = textAt(meta, envelopeKey.version)
  if (version === undefined) return wrong(meta, envelopeKey.version, "must be a string")
  const abilities = objectAt(meta, envelopeKey.abilities)
  if (abilities === undefined) return wrong(meta, envelopeKey.abilities, "must be an object")
  if (isTooLarge(abilities)) return wrong(meta, envelopeKey.abilities, tooLarge)
  const client = readClient(memberAt(meta, envelopeKey.client))
  if (client === undefined) return wrong(meta, envelopeKey.client, "must have a name and a version")
  if (isTooLarge(client)) return wrong(meta, envelopeKey.client, tooLarge)
  const logLevel = memberAt(meta, envelopeKey.logLevel) ?? null
  if (logLevel !== null && typeof logLevel !== "string") return wrong(meta, envelopeKey.logLevel, "must be a string")
  return { ok: true, envelope: { version, abilities, client, logLevel } }
}

function wrong(meta: JsonObject, key: string, problem: string): ReadEnvelope {
  return { ok: false, key, problem: Object.hasOwn(meta, key) ? problem : "missing" }
}

/** Clients declare some hundred characters. Declarations are kept for as long as the client is known, so their size is limited. */
const mostDeclared = 8_192
export const tooLarge = `may have ${mostDeclared} characters at most, written as JSON`

export function isTooLarge(declared: JsonObject | ClientInfo | null): boolean {
  return JSON.stringify(declared).length > mostDeclared
}

/** A client's name and version as it states them: null if it states nothing, undefined if the value is malformed. */
export function readClient(value: ReturnType<typeof memberAt>): ClientInfo | null | undefined {
  if (value === undefined) return null
  const client = asObject(value)
  if (client === undefined || textAt(client, "name") === undefined || textAt(client, "version") === undefined)
    return undefined
  const known = ["name", "title", "version", "websiteUrl"].flatMap((key) => {
    const text = textAt(client, key)
    return text === undefined ? [] : [[key, text]]
  })
  return Object.fromEntries(known) as ClientInfo
}

/** Params for a legacy server, which knows none of these keys and might take them for its own. */
export function withoutEnvelope(params: JsonObject | undefined): JsonObject | undefined {
  const meta = objectAt(params, "_meta")
  if (params === undefined || meta === undefined) return params
  const kept = without(meta, envelopeKeys)
  if (kept === meta) return params
  return Object.keys(kept).length === 0 ? without(params, ["_meta"]) : { ...params, _meta: kept }
}

/** Params for a modern server. */
export function withEnvelope(params: JsonObject | undefined, envelope: Envelope): JsonObject {
  const { version, abilities, client, logLevel } = envelope
  const said: JsonObject = {
    [envelopeKey.version]: version,
    [envelopeKey.abilities]: abilities,
    ...(client === null ? {} : { [envelopeKey.client]: client }),
    ...(logLevel === null ? {} : { [envelopeKey.logLevel]: logLevel }),
  }
  return { ...params, _meta: { ...without(objectAt(params, "_meta") ?? {}, envelopeKeys), ...said } }
}
