import { type JsonObject, memberAt, objectAt } from "@byleave/core"
import type { Ask, Notice, Reply, ResponseMessage } from "../wire/message.ts"
import { LinkError, unsent } from "./link.ts"

export const pong: Reply = { kind: "result", result: {} }

export function withdrawn(): LinkError {
  return new LinkError("withdrawn", "The caller withdrew the request.")
}

export function timedOut(ms: number): LinkError {
  return new LinkError("timeout", `The server did not answer within ${ms / 1000} s.`)
}

/** The same of a request of which nothing had left yet. */
export function neverSent(error: LinkError): LinkError {
  return error.code === "withdrawn"
    ? unsent()
    : new LinkError("unreachable", `${error.message} Nothing of this request was sent before.`, { cause: error })
}

export function malformed(message: string): LinkError {
  return new LinkError("malformed", message)
}

export function unasked(method: string): Reply {
  return { kind: "error", error: { code: -32601, message: `Nothing here can handle ${method}.` } }
}

export function noticeOf(message: Notice): Notice {
  return message.params === undefined ? { method: message.method } : { method: message.method, params: message.params }
}

export function replyOf(message: ResponseMessage): Reply {
  return "result" in message ? { kind: "result", result: message.result } : { kind: "error", error: message.error }
}

// The request's own id serves as its progress token: both are ours and unique on this connection.
export function withToken(ask: Ask, token: number): JsonObject | undefined {
  const meta = objectAt(ask.params, "_meta")
  if (memberAt(meta, "progressToken") === undefined) return ask.params
  return { ...ask.params, _meta: { ...meta, progressToken: token } }
}
