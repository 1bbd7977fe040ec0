import type { JsonObject } from "@byleave/core"

/** The items of responses, as real clients demand them: what is unknown is left out, not null. */
export type OutputItem =
  | MessageItem
  | ReasoningItem
  | FunctionCallItem
  | McpListToolsItem
  | McpApprovalRequestItem
  | McpCallItem

type ItemStatus = "in_progress" | "completed" | "incomplete"

export type OutputText = {
  readonly type: "output_text"
  readonly text: string
  readonly annotations: readonly []
  readonly logprobs: readonly []
}

export type MessageItem = {
  readonly id: string
  readonly type: "message"
  readonly status: ItemStatus
  readonly role: "assistant"
  readonly content: readonly OutputText[]
}

export type ReasoningItem = {
  readonly id: string
  readonly type: "reasoning"
  readonly summary: ReadonlyArray<{ readonly type: "summary_text"; readonly text: string }>
}

export type FunctionCallItem = {
  readonly id: string
  readonly type: "function_call"
  readonly status: ItemStatus
  readonly call_id: string
  readonly name: string
  readonly arguments: string
}

export type McpListToolsItem = {
  readonly id: string
  readonly type: "mcp_list_tools"
  readonly server_label: string
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly description?: string
    readonly input_schema: JsonObject
    readonly annotations?: JsonObject
  }>
  readonly error?: string
}

export type McpApprovalRequestItem = {
  readonly id: string
  readonly type: "mcp_approval_request"
  readonly server_label: string
  readonly name: string
  readonly arguments: string
}

export type McpCallItem = {
  readonly id: string
  readonly type: "mcp_call"
  readonly status: "in_progress" | "completed" | "failed" | "incomplete"
  readonly server_label: string
  readonly name: string
  readonly arguments: string
  readonly approval_request_id?: string
  readonly output?: string
  readonly error?: { readonly type: "mcp_tool_execution_error"; readonly content: readonly JsonObject[] }
}

/** An event of a stream, before it is numbered. */
export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>
