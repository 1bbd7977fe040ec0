/**
 * Targets other than tools pass, unless a rule is about them; then the gate judges them as it does a tool. A method that is none of MCP's is
 * always judged by the gate.
 *
 * I1. A resource or prompt that a rule is about is read only on the word of the gate.
 * I2. Completions are asked about what they complete: a rule about a prompt or resource holds for them, too, also where a wider template leads to it.
 */
import { type Effect, type JsonObject, objectAt, type TargetKind, textAt, without } from "@byleave/core"
import { answerGated, type Gated } from "../../hold/gated-call.ts"
import { extraParamsWith, readState } from "../../hold/request-state.ts"
import type { SendApproved } from "../../hold/run-approved.ts"
import { errorCode, errorReply } from "../../wire/errors.ts"
import type { Reply } from "../../wire/message.ts"
import { mayGoOn } from "../../wire/methods/methods.ts"
import { callFor, type Routed } from "../route.ts"
import { noAnswer } from "../server-relay.ts"
import { sender } from "../tools/send-approved.ts"
import { addressesOf, type Completing, nothingToComplete, withoutRefused } from "./complete-resource.ts"

/** The target of a request other than a tool call. */
export type Named = {
  readonly kind: Exclude<TargetKind, "tool">
  readonly name: string
  readonly args: JsonObject
  readonly paramsOf: (args: JsonObject) => JsonObject
}

/** The target of a judged request other than a tool call; undefined: it names nothing that exists. */
export function namedBy(method: string, params: JsonObject): Named | undefined {
  switch (method) {
    case "prompts/get": {
      const name = textAt(params, "name") ?? ""
      const paramsOf = (args: JsonObject): JsonObject => ({ name, arguments: args })
      return { kind: "prompt", name, args: objectAt(params, "arguments") ?? {}, paramsOf }
    }
    case "resources/read":
    case "resources/subscribe": {
      const uri = textAt(params, "uri") ?? ""
      return { kind: "resource", name: uri, args: { uri }, paramsOf: () => ({ uri }) }
    }
    case "completion/complete":
      return completed(params)
    default:
      return undefined
  }
}

function completed(params: JsonObject): Named | undefined {
  const { _meta, ref: _, ...asked } = params
  const given = objectAt(params, "ref") ?? {}
  const name = textAt(given, "name")
  const uri = textAt(given, "uri")
  const { type } = given
  if (type === "ref/prompt" && name !== undefined && uri === undefined) {
    return { kind: "prompt", name, args: asked, paramsOf: (args) => ({ ...args, ref: { type, name } }) }
  }
  if (type !== "ref/resource" || uri === undefined || name !== undefined) return undefined
  return { kind: "resource", name: uri, args: { uri, ...asked }, paramsOf: completesResource(type, uri) }
}

function completesResource(type: "ref/resource", uri: string): (args: JsonObject) => JsonObject {
  return ({ uri: _, ...asked }) => ({ ref: { type, uri }, ...asked })
}

/** A resource's completion is judged by its template, and by the address that is typed so far: the stricter of both counts. */
export async function completeResource(routed: Routed, named: Named, completing: Completing): Promise<Reply> {
  const { relay, caller } = routed
  const judge = async (name: string): Promise<Effect> => {
    const target = { server: relay.server.id, kind: named.kind, name }
    return (await relay.context.gate.judge(target, named.args, caller)).effect
  }
  const addressWith = addressesOf(completing)
  const typed = addressWith?.(completing.typed) ?? null
  if (addressWith === null || typed === null) {
    const isRefused = strictness[await judge(named.name)] >= strictness.deny
    return isRefused ? askOther(routed, named) : nothingToComplete
  }
  // Otherwise the template says as much.
  const saysMore = typed !== named.name
  const effect = saysMore ? await judge(typed) : "allow"
  const isStricter = saysMore && strictness[effect] > strictness[await judge(named.name)]
  const reply = await askOther(routed, isStricter ? { ...named, name: typed } : named)
  return isStricter && effect === "hide" ? nothingToComplete : withoutRefused(routed, addressWith, reply)
}

const strictness = { allow: 0, ask: 1, deny: 2, hide: 3 } as const satisfies Record<Effect, number>

/** `instead`: how it is carried out, where that is not simply by the server. */
export function askOther(routed: Routed, named: Named, instead?: () => Promise<Reply>): Promise<Reply> {
  const { relay } = routed
  return judgedFor(routed, named, instead)
    .then((judged) => ("reply" in judged ? judged.reply() : answerGated(relay.context, judged)))
    .catch((error: unknown) => noAnswer(relay, error))
}

/** Apart from `askOther`: a request that waits for a person then does not keep its arguments in memory. */
async function judgedFor(
  routed: Routed,
  named: Named,
  instead: (() => Promise<Reply>) | undefined,
): Promise<Gated | { readonly reply: () => Promise<Reply> }> {
  const { relay, exchange } = routed
  const { kind, name, args, paramsOf } = named
  const call = callFor(routed, named)
  const send: SendApproved = instead ?? sender(routed, call, { paramsOf })
  const decision = await relay.context.gate.judge({ server: relay.server.id, kind, name }, args, call)
  if (decision.because.kind === "passes") return { reply: () => passes(routed, call, send) }
  return { call, exchange, send, canBeTask: false }
}

/** No rule is about it: to the server and back; what the server wants to know first is asked or passed on as for a tool. */
function passes(
  { relay, caller, exchange }: Routed,
  call: ReturnType<typeof callFor>,
  send: SendApproved,
): Promise<Reply> {
  const isModern = caller.era === "modern"
  const state =
    isModern && mayGoOn(exchange.ask.method)
      ? readState(relay.context.sealer, call, exchange.ask.params ?? {})
      : undefined
  if (state?.kind === "foreign") return Promise.resolve(foreign)
  const extraParams = extraParamsWith(call.extraParams, state?.continuation ?? {})
  const { withdrawn: signal, isGone } = exchange
  const asSent = extraParams === call.extraParams
  const sending = { audience: exchange, signal, isGone, extraParams, asSent, passesOn: isModern }
  return send(call.args, { ...sending, approval: null, once: false })
}

const foreign = errorReply(
  errorCode.invalidParams,
  "Invalid requestState: it is not the one given for this request, or it is too old.",
)

/** A request that is none of MCP's: refused as unknown unless policy names its method, and recorded either way. */
export function askExtension(routed: Routed): Promise<Reply> {
  const { relay, exchange } = routed
  const { method, params = {} } = exchange.ask
  const args = without(params, ["_meta"])
  const call = callFor(routed, { kind: "method", name: method, args })
  const send = sender(routed, call, { paramsOf: asTheyAre })
  return answerGated(relay.context, { call, exchange, send, canBeTask: false }).catch((error: unknown) =>
    noAnswer(relay, error),
  )
}

function asTheyAre(args: JsonObject): JsonObject {
  return args
}
