/**
 * `requestState` of ours: sealed, and bound to the principal, its session and to what was asked, so that it is useless to anyone else and for anything
 * else. Replaying it is harmless: it leads back to the same approval, which runs once.
 *
 * I1. A state is useless to another principal, and in another session of the same one.
 * I2. It is useless for other arguments, another tool or another server.
 * I3. What does not open is foreign, never a fresh call.
 * I4. Answers to a server that a held call had when it was asked about are those it runs with; later ones do not replace them.
 */
import { hash } from "node:crypto"
import { type Call, canonicalJson, type JsonObject, objectAt, sessionKey, textAt } from "@byleave/core"
import type { Sealer } from "../wire/ports.ts"

/** The state that a modern server wants back with the next try, and the client's answers to its questions. */
export type Continuation = { readonly state?: string; readonly responses?: JsonObject }

/** The params besides the arguments, with the state and answers for the server added: nothing else, and each under its own name. */
export function extraParamsWith(
  extraParams: JsonObject | undefined,
  { state, responses }: Continuation,
): JsonObject | undefined {
  const hasAnswers = responses !== undefined && Object.keys(responses).length > 0
  if (state === undefined && !hasAnswers) return extraParams
  return {
    ...extraParams,
    ...(state === undefined ? {} : { requestState: state }),
    ...(hasAnswers ? { inputResponses: responses } : {}),
  }
}

export type ReadState =
  | { readonly kind: "fresh"; readonly continuation: Continuation }
  | {
      readonly kind: "held"
      readonly approval: string
      readonly leg: number
      readonly continuation: Continuation
    }
  /** Not ours, changed, too old, another principal's or another call's. */
  | { readonly kind: "foreign" }

export function readState(sealer: Sealer, call: Call, params: JsonObject): ReadState {
  const responses = objectAt(params, "inputResponses")
  const given = responses === undefined ? {} : { responses }
  if (!Object.hasOwn(params, "requestState")) return { kind: "fresh", continuation: given }
  const text = textAt(params, "requestState")
  const opened = text === undefined ? null : sealer.open(text)
  if (opened === null || !isOf(opened, call)) return { kind: "foreign" }
  const state = textAt(opened, "state")
  const kept = state === undefined ? {} : { state }
  if (opened.k === "server") return { kind: "fresh", continuation: { ...kept, ...given } }
  const approval = textAt(opened, "approval")
  if (opened.k !== "held" || approval === undefined || typeof opened.leg !== "number") return { kind: "foreign" }
  const earlier = objectAt(opened, "responses")
  return {
    kind: "held",
    approval,
    leg: opened.leg,
    continuation: { ...kept, ...(earlier === undefined ? {} : { responses: earlier }) },
  }
}

/** A server's own state, inside ours. */
export function sealServerState(sealer: Sealer, call: Call, state: string): string {
  return sealer.seal({ k: "server", ...boundTo(call), state })
}

export function sealHeld(
  sealer: Sealer,
  call: Call,
  held: { readonly approval: string; readonly leg: number; readonly continuation: Continuation },
): string {
  const { approval, leg, continuation } = held
  return sealer.seal({
    k: "held",
    ...boundTo(call),
    approval,
    leg,
    ...continuation,
  })
}

function boundTo(call: Call): JsonObject {
  return { principal: call.principal.id, session: sessionKey(call.session), digest: digestOf(call) }
}

function isOf(opened: JsonObject, call: Call): boolean {
  return Object.entries(boundTo(call)).every(([key, value]) => opened[key] === value)
}

/** The request and its server as one digest. */
function digestOf(call: Call): string {
  const { tool, args } = call
  const asked = { kind: call.kind ?? "tool", server: tool.server, name: tool.tool, args }
  return hash("sha256", canonicalJson(asked), "hex")
}
