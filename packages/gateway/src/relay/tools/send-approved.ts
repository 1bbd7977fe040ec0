/**
 * From what the gate lets run to what the server is sent.
 *
 * I1. What is sent is built from what was judged: the arguments that may run, and the extra params that were shown with them.
 * I2. Nothing that goes beside the arguments that may run takes the place of one of them.
 *
 * A sender is made before its call is judged, or told what had changed by then: it knows whether anything has changed since. It keeps nothing of what the
 * caller sent: that is given to it anew by whoever lets the call run.
 */
import { type Call, type JsonObject, memberAt, objectAt, type ToolDefinition } from "@byleave/core"
import { type SendApproved, type Sending, withoutSent } from "../../hold/run-approved.ts"
import type { Exchange } from "../../wire/exchange.ts"
import type { Ask, Reply } from "../../wire/message.ts"
import type { RequestRoute } from "../route.ts"
import { converse } from "../talk/converse.ts"
import type { OtherStructure } from "./offered-result.ts"

export type RequestShape = {
  /** The params that say what is asked, made from the arguments that may run. */
  readonly paramsOf: (args: JsonObject) => JsonObject
  readonly paramHeaders?: (args: JsonObject) => ReadonlyMap<string, string>
  /** The tool as it was judged: what the server lists otherwise by now is not called. */
  readonly tool?: ToolDefinition
  /** As of `Visibility`, from before the call was judged; absent: it is judged after this. */
  readonly changes?: number
  /** The tool promises another structure than its caller was told of: a task of the call is named so. */
  readonly other?: OtherStructure
}

/** The exchange gives the request as its caller made it: its method, and the token by which that caller knows its progress. */
export type SendingRoute = RequestRoute & { readonly exchange: Pick<Exchange, "ask"> }

export function sender(
  route: SendingRoute,
  call: Call,
  { paramsOf, paramHeaders, tool, other, changes = route.relay.context.visibility.changes(call.session) }: RequestShape,
): SendApproved {
  const about = withoutSent(call)
  const name = (call.kind ?? "tool") === "tool" ? call.tool.tool : null
  return (args, sending): Promise<Reply> => {
    const judged = sending.passesOn ? { ...about, args } : about
    const load = {
      ask: askFor(route.exchange.ask, args, sending, paramsOf),
      once: sending.once,
      isGone: sending.isGone,
      judged: {
        call: judged,
        args,
        approval: sending.approval,
        changes,
        holdsUntil: sending.holdsUntil,
        grant: sending.grant,
        since: route.relay.context.word?.elapsed() ?? 0,
      },
      tool,
      other,
      paramHeaders: paramHeaders === undefined ? undefined : () => paramHeaders(args),
    }
    const { audience, signal } = sending
    return route.relay.underWay.watch({ caller: route.caller, tool: name, audience, signal }, (talk) =>
      converse(route, judged, { ...load, audience: talk.audience, signal: talk.signal }, sending),
    )
  }
}

/** A call that runs as it was sent goes on as it is: its params hold nothing but what was judged. */
function askFor(ask: Ask, args: JsonObject, { extraParams, asSent }: Sending, paramsOf: RequestShape["paramsOf"]): Ask {
  const isAsSent = ask.params !== undefined && asSent
  const isPlain = memberAt(ask.params, "requestState") === undefined && ask.method !== "completion/complete"
  if (isAsSent && isPlain) return ask
  const token = memberAt(objectAt(ask.params, "_meta"), "progressToken")
  const meta = { ...objectAt(extraParams, "_meta"), ...(token === undefined ? {} : { progressToken: token }) }
  // The method is sent as the method; it is among them to be shown and bound.
  const { method: _, ...beside } = extraParams ?? {}
  const params = {
    ...beside,
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
    // Last, so that nothing above replaces what was approved.
    ...paramsOf(args),
  }
  return { method: ask.method, params }
}
