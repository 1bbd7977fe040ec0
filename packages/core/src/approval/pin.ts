import type { EpochMs } from "../call/call.ts"
import type { ToolDefinition } from "../call/tool-definition.ts"

/**
 * What is accepted of one tool, and what its server says now when that differs.
 * `accepted` null: the tool appeared after its server was pinned and nobody has accepted it yet.
 */
export type Pin = {
  readonly server: string
  readonly tool: string
  readonly accepted: AcceptedDefinition | null
  /** The newest definition seen, when it is not the accepted one. */
  readonly proposed: {
    readonly definition: ToolDefinition
    readonly fingerprint: string
    readonly seenAt: EpochMs
  } | null
}

export type AcceptedDefinition = {
  readonly definition: ToolDefinition
  readonly fingerprint: string
  readonly at: EpochMs
  /** Who accepted it; null: pinned at first sight. */
  readonly by: string | null
}
