/**
 * Requests beyond MCP on the path of all servers.
 *
 * I1. One that policy names for no server reaches none, and is recorded as asked of all of them.
 */
import { type Call, type JsonObject, without } from "@byleave/core"
import { answerGated } from "../../hold/gated-call.ts"
import { withoutEnvelope } from "../../wire/envelope.ts"
import type { Exchange } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import { isProtocolMethod } from "../../wire/methods/methods.ts"
import type { Backends } from "../backends.ts"
import { methodNotFound } from "../route.ts"

/** No server can be called so. */
const allServers = "*"

/** It belongs to the first server, in the order of the configuration, for which policy names its method. */
export async function askBeyond({ all, context }: Backends, exchange: Exchange): Promise<Reply> {
  const { caller, ask } = exchange
  const { method } = ask
  if (isProtocolMethod(method)) return methodNotFound
  const args: JsonObject = without(withoutEnvelope(ask.params) ?? {}, ["_meta"])
  const isNamed = async (server: string): Promise<boolean> =>
    (await context.gate.judge({ server, kind: "method", name: method }, args, caller)).effect !== "hide"
  for (const backend of all()) if (await isNamed(backend.relay.server.id)) return backend.handle(exchange)
  // Without any server a pattern of the policy may name it all the same; nobody is asked about what cannot run.
  if (await isNamed(allServers)) return methodNotFound
  const { principal, session } = caller
  const call: Call = { kind: "method", tool: { server: allServers, tool: method }, args, principal, session }
  return answerGated(context, { call, exchange, send: async () => methodNotFound, canBeTask: false })
}
