import type { JsonObject, JsonValue } from "@byleave/core"

/** What JSON-RPC allows as an id of a request; a fraction or null is refused at the edge. */
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

/** What is asked, without the envelope of whoever carries it. */
export type Ask = { readonly method: string; readonly params?: JsonObject }
/** Said without expecting an answer: progress, a log line, a change of a list, a cancellation. */
export type Notice = { readonly method: string; readonly params?: JsonObject }
/** What came back. */
export type Reply =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "error"; readonly error: RpcError }
