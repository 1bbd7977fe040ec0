import type { JsonValue } from "@byleave/core"
import type { Reply, RequestId, ResponseMessage, RpcError } from "./message.ts"

/** The error codes of JSON-RPC and of MCP in both eras, as they are on the wire. */
export const errorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** HTTP said no before JSON-RPC had a say. */
  transport: -32000,
  sessionNotFound: -32001,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
  urlElicitationRequired: -32042,
} as const

export function rpcError(code: number, message: string, data?: JsonValue): RpcError {
  return data === undefined ? { code, message } : { code, message, data }
}

export function errorReply(code: number, message: string, data?: JsonValue): Reply {
  return { kind: "error", error: rpcError(code, message, data) }
}

export function errorMessage(id: RequestId | null, error: RpcError): ResponseMessage {
  return { jsonrpc: "2.0", id, error }
}

export function replyMessage(id: RequestId, reply: Reply): ResponseMessage {
  return reply.kind === "result"
    ? { jsonrpc: "2.0", id, result: reply.result }
    : { jsonrpc: "2.0", id, error: reply.error }
}

const modernStatuses: ReadonlyMap<number, number> = new Map([
  [errorCode.parse, 400],
  [errorCode.invalidRequest, 400],
  [errorCode.methodNotFound, 404],
  [errorCode.headerMismatch, 400],
  [errorCode.missingClientCapability, 400],
  [errorCode.unsupportedVersion, 400],
])

/** The HTTP status under which the modern era sends a reply. Errors of the request's own params stay 200. */
export function modernStatus(message: ResponseMessage): number {
  return "error" in message ? (modernStatuses.get(message.error.code) ?? 200) : 200
}
