import { type AgentRun, type JsonObject, toolName } from "@byleave/core"
import type { Waiting } from "../runs.ts"

/** A run in the words of programs that know paused runs from elsewhere. */
export type AgentResponse = {
  readonly conversation_id: string
  readonly text: string
  readonly data: {
    /** The calls that wait; sent back with `execute` set they are answers. */
    readonly tool_calls: ReadonlyArray<{
      readonly id: string
      readonly name: string
      readonly input: JsonObject
      readonly execute: boolean
      readonly rejection_reason: string | null
    }>
    /** The value that the next request brings back: the run's sealed state, or its id. */
    readonly session: string
  }
  readonly needs_approval: boolean
  readonly has_pending_approvals: boolean
  readonly is_complete: boolean
  /** The sealed state; null where the run stays where it is. */
  readonly paused_run_state: string | null
  readonly pending_requirements: ReadonlyArray<{
    readonly requirement_id: string
    readonly tool_call_id: string
    readonly tool_name: string
    readonly tool_args: JsonObject
    readonly why: string
  }>
  readonly metadata: JsonObject
}

export type AgentResponseParts = {
  readonly waiting: readonly Waiting[]
  readonly text: string
  /** The run, sealed. A run of more than a megabyte is named by its id instead. */
  readonly state?: string | null
  /** The name by which the caller knows the conversation; absent: the run's id. */
  readonly conversation?: string
}

const longestState = 1024 * 1024

export function agentResponse(
  run: AgentRun,
  { waiting, text, state, conversation }: AgentResponseParts,
): AgentResponse {
  const carried = state != null && state.length <= longestState ? state : null
  const isWaiting = waiting.length > 0
  return {
    conversation_id: conversation ?? run.id,
    text,
    data: {
      tool_calls: waiting.map(({ requirement, approval }) => ({
        id: requirement.toolCall,
        name: toolName(requirement.tool),
        input: approval.args ?? {},
        execute: false,
        rejection_reason: null,
      })),
      session: carried ?? run.id,
    },
    needs_approval: isWaiting,
    has_pending_approvals: isWaiting,
    is_complete: run.status === "finished" || run.status === "cancelled",
    paused_run_state: carried,
    pending_requirements: waiting.map(({ requirement, approval }) => ({
      requirement_id: approval.id,
      tool_call_id: requirement.toolCall,
      tool_name: toolName(requirement.tool),
      tool_args: approval.args ?? {},
      why: approval.why,
    })),
    metadata: metadataOf(run),
  }
}

function metadataOf({ id, status, setup, usage, legs, steps }: AgentRun): JsonObject {
  const { trace, metadata, model } = setup
  return {
    ...metadata,
    run_id: id,
    status,
    model,
    legs,
    steps,
    usage: { input_tokens: usage.input, output_tokens: usage.output, total_tokens: usage.total },
    ...(trace === undefined ? {} : { trace }),
  }
}
