/**
 * Requests in the words of the server's era, and its errors in those of the caller's. Between the two edges of the gateway a request has no
 * envelope: who asks is known apart from what is asked.
 */
import { type JsonObject, without } from "@byleave/core"
import type { ClientInfo, Era } from "../../wire/caller.ts"
import { abilitiesForServer, clientForServer } from "../../wire/client-for-server.ts"
import { withEnvelope } from "../../wire/envelope.ts"
import { errorCode } from "../../wire/errors.ts"
import type { Ask, Reply, RpcError } from "../../wire/message.ts"
import { mayGoOn } from "../../wire/methods/methods.ts"

/** The client behind a request. A modern server is told with every request; a legacy one was told when the connection was opened. */
export type Asker = {
  readonly era: Era
  readonly client: ClientInfo | null
  readonly abilities: JsonObject
  readonly logLevel?: string
}

const modernOnly = ["inputResponses", "requestState"]

export function askLegacy(ask: Ask): Ask {
  if (ask.params === undefined || !mayGoOn(ask.method)) return ask
  const params = without(ask.params, modernOnly)
  return params === ask.params ? ask : { method: ask.method, params }
}

/** `own`: what the connection itself says where the caller says nothing. */
export function askModern(ask: Ask, asker: Asker, version: string, own: ClientInfo): Ask {
  const { client, logLevel = null } = asker
  const envelope = {
    version,
    abilities: abilitiesForServer("modern", asker.abilities),
    client: clientForServer(client ?? own),
    logLevel,
  }
  return { method: ask.method, params: withEnvelope(ask.params, envelope) }
}

export function replyTo(asker: Asker, method: string, reply: Reply, from: Era): Reply {
  if (reply.kind === "result" && from === "legacy") return withoutResultType(reply)
  if (reply.kind === "result" || asker.era === from || method !== "resources/read") return reply
  return { kind: "error", error: errorFor(asker.era, reply.error) }
}

/** A word of the modern era. To a legacy server it means nothing, and whoever reads it there would ask again for what was answered. */
function withoutResultType(reply: Extract<Reply, { kind: "result" }>): Reply {
  const result = without(reply.result, ["resultType"])
  return result === reply.result ? reply : { ...reply, result }
}

/** A missing resource has another code in each era. */
function errorFor(era: Era, error: RpcError): RpcError {
  if (era === "modern" && error.code === errorCode.resourceNotFound) return { ...error, code: errorCode.invalidParams }
  if (era === "legacy" && error.code === errorCode.invalidParams) return { ...error, code: errorCode.resourceNotFound }
  return error
}
