import type { JsonObject, JsonValue } from "@byleave/core"

/** A request id that JSON-RPC allows; a fraction or null is refused at the edge. */
export type RequestId = string | number

/** The messages of MCP, as they are on the wire. Unknown members stay: nothing here strips what it does not know. */
export type RequestMessage = {
  readonly jsonrpc: "2.0"
  readonly id: RequestId
  readonly method: string
  readonly params?: JsonObject
}
export type NotificationMessage = { readonly jsonrpc: "2.0"; readonly method: string; readonly params?: JsonObject }
export type RpcError = { readonly code: number; readonly message: string; readonly data?: JsonValue }
export type ResponseMessage =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: JsonObject }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId | null; readonly error: RpcError }
export type Message = RequestMessage | NotificationMessage | ResponseMessage

/** A request without its transport's envelope. */
export type Ask = { readonly method: string; readonly params?: JsonObject }
/** Said without expecting an answer: progress, a log line, a change of a list, a cancellation. */
export type Notice = { readonly method: string; readonly params?: JsonObject }
/** The response to a request. */
export type Reply =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "error"; readonly error: RpcError }
