import type { Call, JsonObject } from "@byleave/core"
import { answerGated, type Gated } from "../hold/gated-call.ts"
import type { Caller } from "../wire/caller.ts"
import type { Exchange } from "../wire/exchange.ts"
import { asObject, memberAt, textAt } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import { unknownName } from "../wire/outcome-reply.ts"
import { converse } from "./converse.ts"
import { takesTasks } from "./era.ts"
import { destination, orUnreachable, type ServerRelay } from "./server-relay.ts"

/** A tool is called: it must be one the server lists, and then the gate has its word. */
export function callTool(relay: ServerRelay, exchange: Exchange): Promise<Reply> {
  return orUnreachable(relay, async () => {
    const { caller, ask } = exchange
    const params = ask.params ?? {}
    const name = textAt(params, "name")
    const given = memberAt(params, "arguments")
    const args = given === undefined ? {} : asObject(given)
    if (name === undefined || args === undefined) return badCall
    const call = toolCall(relay, caller, name, args)
    if (!(await isListed(relay, caller, name))) return unknownName({ call, era: caller.era })
    return answerGated(relay.context, gatedTool(relay, exchange, call))
  })
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
async function isListed(relay: ServerRelay, caller: Caller, name: string): Promise<boolean> {
  const { tools } = destination(relay, caller).place
  return (await tools.tools()).has(name) || (await tools.again()).has(name)
}

export function gatedTool(relay: ServerRelay, exchange: Exchange, call: Call): Gated {
  return {
    call,
    exchange,
    carry: carrier(relay, call, exchange),
    canBeTask: takesTasks(exchange.caller),
    hasLegs: true,
  }
}

/** Carries the call with the arguments it may run with; all else of it stays as its caller sent it. */
export function carrier(
  relay: ServerRelay,
  call: Call,
  { caller, ask, paramHeaders }: Pick<Exchange, "caller" | "ask" | "paramHeaders">,
): Gated["carry"] {
  return (args, carrying) => {
    const params = { ...ask.params, ...(hasArguments(ask.params, args) ? { arguments: args } : {}) }
    const load = {
      caller,
      ask: { method: ask.method, params },
      audience: carrying.audience,
      signal: carrying.signal,
      paramHeaders,
    }
    return converse(relay.context, destination(relay, caller), call, load, carrying)
  }
}

/** A call without arguments is carried without them, unless a reviewer gave it some. */
function hasArguments(params: JsonObject | undefined, args: JsonObject): boolean {
  return memberAt(params, "arguments") !== undefined || Object.keys(args).length > 0
}
