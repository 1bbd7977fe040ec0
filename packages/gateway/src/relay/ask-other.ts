/**
 * What is not a tool passes, unless a rule is about it; then the gate has its word as with a tool.
 *
 * I1. A resource or prompt that a rule is about is read only on the word of the gate.
 * I2. Completions are asked about what they complete: a rule about a prompt or resource holds for them, too.
 */
import type { Call, JsonObject, TargetKind } from "@byleave/core"
import { answerGated } from "../hold/gated-call.ts"
import { readState } from "../hold/request-state.ts"
import type { Exchange } from "../wire/exchange.ts"
import { objectAt, textAt } from "../wire/members.ts"
import type { Reply } from "../wire/message.ts"
import { carrier } from "./call-tool.ts"
import { converse } from "./converse.ts"
import { destination, orUnreachable, type ServerRelay } from "./server-relay.ts"

type Named = {
  readonly kind: Extract<TargetKind, "resource" | "prompt">
  readonly name: string
  readonly args: JsonObject
}

/** What a request other than a call is about; null when policy cannot be about it. */
export function namedBy(method: string, params: JsonObject | undefined): Named | null {
  switch (method) {
    case "prompts/get":
      return named("prompt", textAt(params, "name"), objectAt(params, "arguments") ?? {})
    case "resources/read":
    case "resources/subscribe":
    case "resources/unsubscribe":
      return named("resource", textAt(params, "uri"))
    case "completion/complete": {
      const ref = objectAt(params, "ref")
      if (ref?.type === "ref/prompt") return named("prompt", textAt(ref, "name"))
      return named("resource", textAt(ref, "uri"))
    }
    default:
      return null
  }
}

function named(kind: Named["kind"], name: string | undefined, args?: JsonObject): Named | null {
  if (name === undefined) return null
  return { kind, name, args: args ?? { uri: name } }
}

const withLegs = new Set(["prompts/get", "resources/read"])

/** `send`: how it is carried, where that is not simply to the server. */
export function askOther(
  relay: ServerRelay,
  exchange: Exchange,
  about: Named,
  send?: () => Promise<Reply>,
): Promise<Reply> {
  return orUnreachable(relay, async () => {
    const { caller, ask } = exchange
    const { principal, session } = caller
    const server = relay.server.id
    const call: Call = { kind: about.kind, tool: { server, tool: about.name }, args: about.args, principal, session }
    const decision = await relay.context.gate.judge({ server, kind: about.kind, name: about.name }, about.args, caller)
    if (decision.because.kind === "passes") return send === undefined ? passes(relay, exchange, call) : send()
    const hasLegs = withLegs.has(ask.method)
    // A prompt's arguments may be edited; what a resource is read by is its name.
    const carryIt = carrier(relay, call, exchange, undefined)
    const plain = about.kind === "prompt" && ask.method === "prompts/get"
    return answerGated(relay.context, {
      call,
      exchange,
      carry: (args, carrying) => {
        if (send !== undefined) return send()
        return plain ? carryIt(args, carrying) : carryAsIs(relay, exchange, call)(carrying)
      },
      canBeTask: false,
      hasLegs,
    })
  })
}

function carryAsIs(relay: ServerRelay, { caller, ask }: Exchange, call: Call) {
  return (carrying: Parameters<typeof converse>[4]): Promise<Reply> => {
    const { audience, signal } = carrying
    return converse(relay.context, destination(relay, caller), call, { caller, ask, audience, signal }, carrying)
  }
}

/** No rule is about it: to the server and back; what the server wants to know first is asked or passed on as for a tool. */
function passes(relay: ServerRelay, exchange: Exchange, call: Call): Promise<Reply> {
  const { caller, ask, withdrawn } = exchange
  const isModern = caller.era === "modern"
  const state = isModern ? readState(relay.context.sealer, call, ask.params ?? {}) : null
  if (state?.kind === "foreign") return Promise.resolve(foreign)
  const continuation = state?.continuation ?? {}
  return carryAsIs(relay, exchange, call)({ audience: exchange, signal: withdrawn, continuation, passesOn: isModern })
}

const foreign: Reply = {
  kind: "error",
  error: { code: -32602, message: "Invalid requestState: it is not the one given for this request, or it is too old." },
}
