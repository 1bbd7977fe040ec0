/**
 * Cursors of servers, under names of ours: sealed with the list they belong to, so that every process that knows the key can open them.
 *
 * I1. A server is sent no cursor but one that it gave itself: for this list, to this principal.
 */
import { memberAt, textAt } from "@byleave/core"
import { errorCode, errorReply } from "../../wire/errors.ts"
import type { Reply } from "../../wire/message.ts"
import type { Routed } from "../route.ts"

/** The request with the server's own cursor, and its reply with one of ours. */
export async function withCursors(routed: Routed, work: (routed: Routed) => Promise<Reply>): Promise<Reply> {
  const { relay, caller, exchange } = routed
  const { sealer } = relay.context
  const { method, params } = exchange.ask
  const given = memberAt(params, "cursor")
  const of = { k: "cursor", server: relay.server.id, method, principal: caller.principal.id }
  let asked = routed
  if (given !== undefined) {
    const opened = typeof given === "string" ? sealer.open(given) : null
    const isOurs = opened !== null && Object.entries(of).every(([key, value]) => opened[key] === value)
    const cursor = isOurs ? textAt(opened, "cursor") : undefined
    if (cursor === undefined) return invalidCursor
    asked = { ...routed, exchange: { ...exchange, ask: { method, params: { ...params, cursor } } } }
  }
  const reply = await work(asked)
  const next = reply.kind === "result" ? textAt(reply.result, "nextCursor") : undefined
  if (reply.kind === "error" || next === undefined) return reply
  return { ...reply, result: { ...reply.result, nextCursor: sealer.seal({ ...of, cursor: next }) } }
}

const invalidCursor = errorReply(
  errorCode.invalidParams,
  "Invalid cursor: it is not one that was given for this list, or it is too old. List again without it.",
)
