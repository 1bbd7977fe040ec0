import { errorCode, errorMessage, rpcError } from "../wire/errors.ts"
import type { RequestId, RpcError } from "../wire/message.ts"
import { writeMessage } from "../wire/write-message.ts"
import type { FrontResponse } from "./front-message.ts"

export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const

export function sendJson(response: FrontResponse, status: number, text: string, more?: Record<string, string>): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...more,
  })
  response.end(text)
}

/** A refusal of HTTP itself, before or beside JSON-RPC. */
export function refuse(
  response: FrontResponse,
  status: number,
  refusal: string | RpcError,
  more?: Record<string, string> & { readonly id?: never },
  id: RequestId | null = null,
): void {
  const error = typeof refusal === "string" ? rpcError(errorCode.transport, refusal) : refusal
  sendJson(response, status, writeMessage(errorMessage(id, error)), more)
}

export function accepted(response: FrontResponse): void {
  response.writeHead(202, { "content-length": 0 })
  response.end()
}
