/**
 * The Claude Agent SDK asks before a tool runs (`canUseTool`) and tells by hooks how it ended.
 *
 * I1. A tool of this server is asked about whatever the session's own permission rules say: the PreToolUse hook sends it to `canUseTool`.
 * I2. The record says that a call succeeded only once PostToolUse has told so.
 */
import type { RunOutcome } from "@byleave/core"
import type { AdapterOptions } from "../call/adapter-options.ts"
import { decideCall } from "../call/decide-call.ts"
import { messageOf, toJson } from "../call/json.ts"
import { openRuns } from "../call/open-runs.ts"
import { editedNote, toldText } from "../call/told-text.ts"

/** The SDK's `CanUseTool`, as far as it matters here. */
type CanUseTool = (tool: string, input: Record<string, unknown>, about: ToolUse) => Promise<Permission | null>
type ToolUse = { readonly signal: AbortSignal; readonly toolUseID: string }
type Permission = { behavior: "allow"; updatedInput?: Record<string, unknown> } | { behavior: "deny"; message: string }
type HookInput = { readonly hook_event_name: string }
type Hooks = { hooks: Array<(input: HookInput, id: string | undefined) => Promise<HookOutput>>; matcher: string }
type HookOutput = { hookSpecificOutput?: SpecificOutput }
type SpecificOutput =
  | { hookEventName: "PreToolUse"; permissionDecision: "ask" }
  | { hookEventName: "PostToolUse"; additionalContext: string }

/** `otherTools`: what the program says of tools that are not this server's. Absent: it gives no permission, as the SDK does without `canUseTool`. */
export type ClaudeAgentOptions<Other> = AdapterOptions & { readonly otherTools?: Other }

/** Options of `query()`. `end` is for when the query is done: what no hook told the end of becomes unknown. */
export type ClaudeAgentGate = {
  readonly canUseTool: CanUseTool
  readonly hooks: { PreToolUse: Hooks[]; PostToolUse: Hooks[]; PostToolUseFailure: Hooks[] }
  readonly end: () => Promise<void>
}

/** The gate decides on the tools of the MCP server that `query()` knows by the name `server`. */
export function gated<Other>(options: ClaudeAgentOptions<Other>): ClaudeAgentGate {
  const prefix = `mcp__${options.server}__`
  const runs = openRuns()
  const others = options.otherTools as CanUseTool | undefined

  const canUseTool: CanUseTool = async (name, input, about) => {
    if (!name.startsWith(prefix)) {
      return others === undefined
        ? { behavior: "deny", message: `This program gives no permission for ${name}.` }
        : others(name, input, about)
    }
    try {
      const proposed = { tool: name.slice(prefix.length), input, signal: about.signal }
      const decided = await decideCall(options, proposed)
      if (decided.kind !== "run") return { behavior: "deny", message: toldText(decided) }
      runs.add(about.toolUseID, decided)
      return { behavior: "allow", updatedInput: { ...decided.args } }
    } catch (cause) {
      return { behavior: "deny", message: `${name} was not run: ${messageOf(cause)}` }
    }
  }

  const ask = async (): Promise<HookOutput> => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" },
  })
  const ended = async (input: HookInput, id: string | undefined): Promise<HookOutput> => {
    const run = await runs.report(id ?? "", outcomeOf(input))
    if (run?.edited !== true || input.hook_event_name !== "PostToolUse") return {}
    return { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: editedNote } }
  }
  const matcher = `${prefix}.*`
  return {
    canUseTool,
    hooks: {
      PreToolUse: [{ matcher, hooks: [ask] }],
      PostToolUse: [{ matcher, hooks: [ended] }],
      PostToolUseFailure: [{ matcher, hooks: [ended] }],
    },
    end: runs.end,
  }
}

function outcomeOf(input: HookInput): RunOutcome {
  const { tool_response, error, is_interrupt } = input as {
    readonly tool_response?: unknown
    readonly error?: unknown
    readonly is_interrupt?: unknown
  }
  if (input.hook_event_name === "PostToolUse") return { kind: "succeeded", result: toJson(tool_response) }
  if (is_interrupt === true) return { kind: "unknown", detail: "It was interrupted while it ran." }
  return { kind: "failed", error: { message: String(error) } }
}
