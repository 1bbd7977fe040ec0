/**
 * Calls of tools.
 *
 * I1. Only a tool that the server lists to this caller is called; any other does not exist.
 * I2. A call is judged by the definition that its own connection lists.
 * I3. What is sent is what may run: the arguments of the gate, and nothing of those they replaced.
 * I4. A call whose headers say something else than its arguments is not judged at all.
 */
import type { Call, JsonObject, ToolDefinition } from "@byleave/core"
import { answerGated, type Gated } from "../hold/gated-call.ts"
import type { Caller } from "../wire/caller.ts"
import type { Exchange } from "../wire/exchange.ts"
import { asObject, memberAt, objectAt, textAt } from "../wire/members.ts"
import type { Ask, Reply, RpcError } from "../wire/message.ts"
import { unknownName } from "../wire/outcome-reply.ts"
import { checkParamHeaders, headersOfRun } from "../wire/param-headers.ts"
import { converse } from "./converse.ts"
import { takesTasks } from "./era.ts"
import type { Place } from "./place.ts"
import { destination, noAnswer, type ServerRelay } from "./server-relay.ts"

/** A tool is called: it must be one the server lists, and then the gate has its word. */
export async function callTool(relay: ServerRelay, exchange: Exchange): Promise<Reply> {
  const { caller, ask } = exchange
  const name = textAt(ask.params, "name")
  const given = memberAt(ask.params, "arguments")
  const args = given === undefined ? {} : asObject(given)
  if (name === undefined || args === undefined) return badCall
  try {
    const call = toolCall(relay, caller, name, args)
    const place = relay.places.of(caller)
    const tool = place.tools.known(name) ?? (await listedTool(place, name))
    if (tool === undefined) return unknownName({ call, era: caller.era })
    if (!relay.tools.isTold(tool)) await relay.tools.standFor(relay.places.of(caller).key, tool)
    const schema = objectAt(tool, "inputSchema")
    const mismatch = headerProblem(schema, args, exchange)
    if (mismatch !== undefined) return { kind: "error", error: mismatch }
    return await answerGated(relay.context, gatedTool(relay, exchange, call, schema))
  } catch (error) {
    return noAnswer(relay, error)
  }
}

const badCall: Reply = {
  kind: "error",
  error: { code: -32602, message: "A call names its tool as text, and its arguments are an object." },
}

export function toolCall(
  relay: ServerRelay,
  { principal, session }: Pick<Caller, "principal" | "session">,
  name: string,
  args: JsonObject,
): Call {
  return { tool: { server: relay.server.id, tool: name }, args, principal, session }
}

/** Names the server lists now; one that is missing may be new, so the list is read again before that is said. */
async function listedTool({ tools }: Place, name: string): Promise<ToolDefinition | undefined> {
  return (await tools.tools()).get(name) ?? (await tools.again()).get(name)
}

/** Headers a modern client mirrors arguments into must agree with the body, which alone counts. */
function headerProblem(
  schema: JsonObject | undefined,
  args: JsonObject,
  { caller, paramHeaders }: Exchange,
): RpcError | undefined {
  if (caller.era === "legacy" || paramHeaders === null || schema === undefined) return undefined
  return checkParamHeaders(schema, args, paramHeaders)
}

function gatedTool(relay: ServerRelay, exchange: Exchange, call: Call, schema: JsonObject | undefined): Gated {
  return {
    call,
    exchange,
    carry: carrier(relay, call, exchange, schema),
    canBeTask: takesTasks(exchange.caller),
    hasLegs: true,
  }
}

/** Carries the call with the arguments it may run with; all else of it stays as its caller sent it. */
export function carrier(
  relay: ServerRelay,
  call: Call,
  { caller, ask, paramHeaders }: Pick<Exchange, "caller" | "ask" | "paramHeaders">,
  schema: JsonObject | undefined,
): Gated["carry"] {
  return (args, carrying) => {
    const load = {
      caller,
      ask: askWith(ask, args),
      audience: carrying.audience,
      signal: carrying.signal,
      paramHeaders: () => headersOfRun(schema, args, paramHeaders ?? new Map()),
    }
    return converse(relay.context, destination(relay, caller), call, load, carrying)
  }
}

/** A call without arguments is carried without them, unless a reviewer gave it some. */
function askWith(ask: Ask, args: JsonObject): Ask {
  const given = memberAt(ask.params, "arguments")
  if (given === args || (given === undefined && Object.keys(args).length === 0)) return ask
  return { method: ask.method, params: { ...ask.params, arguments: args } }
}
