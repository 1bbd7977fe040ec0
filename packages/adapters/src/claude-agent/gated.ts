/**
 * The Claude Agent SDK asks before a tool runs (`canUseTool`) and tells by hooks how it ended.
 *
 * I1. A tool of this server is asked about whatever the session's own permission rules say: the PreToolUse hook sends it to `canUseTool`.
 * I2. The record says that a call succeeded only once PostToolUse has told so.
 * I3. A call is judged and recorded by the name that the server has for its tool. Where that is not certain, it is denied.
 */
import type { RunOutcome } from "@byleave/core"
import type { AdapterOptions } from "../call/adapter-options.ts"
import { decideCall } from "../call/decide-call.ts"
import { messageOf, toJson } from "../call/json.ts"
import { openRuns } from "../call/open-runs.ts"
import { editedNote, toldText } from "../call/told-text.ts"
import { toolNames } from "./tool-names.ts"

/** The SDK's `CanUseTool`, as far as it matters here. */
type CanUseTool = (tool: string, input: Record<string, unknown>, about: ToolUse) => Promise<Permission | null>
type ToolUse = { readonly signal: AbortSignal; readonly toolUseID: string }
type Permission = { behavior: "allow"; updatedInput?: Record<string, unknown> } | { behavior: "deny"; message: string }
type HookInput = { readonly hook_event_name: string; readonly tool_name?: unknown }
type Hooks = { hooks: Array<(input: HookInput, id: string | undefined) => Promise<HookOutput>>; matcher: string }
type HookOutput = { hookSpecificOutput?: SpecificOutput }
type SpecificOutput =
  | { hookEventName: "PreToolUse"; permissionDecision: "ask" }
  | { hookEventName: "PostToolUse"; additionalContext: string }

/**
 * `tools`: the names of all of the server's tools, as the server lists them: Claude Code writes other characters than letters, digits, `_`
 * and `-` as `_`, and a call by a name that stands for none or several of them is denied. `otherTools`: what the program says of tools that
 * are not this server's. Absent: it gives no permission, as the SDK does without `canUseTool`.
 */
export type ClaudeAgentOptions<Other> = AdapterOptions & {
  readonly tools: readonly string[]
  readonly otherTools?: Other
}

/** Options of `query()`. `end` is for when the query is done: what no hook told the end of becomes unknown. */
export type ClaudeAgentGate = {
  readonly canUseTool: CanUseTool
  readonly hooks: { PreToolUse: Hooks[]; PostToolUse: Hooks[]; PostToolUseFailure: Hooks[] }
  readonly end: () => Promise<void>
}

/** The gate decides on the tools of the MCP server that `query()` knows by the name `server`. */
export function gated<Other>(options: ClaudeAgentOptions<Other>): ClaudeAgentGate {
  const toolNamed = toolNames(options.server, options.tools)
  const runs = openRuns()
  const others = options.otherTools as CanUseTool | undefined

  const canUseTool: CanUseTool = async (name, input, about) => {
    const named = toolNamed(name)
    if (named.kind === "elsewhere") {
      return others === undefined
        ? { behavior: "deny", message: `This program gives no permission for ${name}.` }
        : others(name, input, about)
    }
    if (named.kind === "unclear") {
      return { behavior: "deny", message: `${name} was not run: its name does not say which tool of the server it is.` }
    }
    try {
      const proposed = { tool: named.tool, input, signal: about.signal }
      const decided = await decideCall(options, proposed)
      if (decided.kind !== "run") return { behavior: "deny", message: toldText(decided) }
      runs.add(about.toolUseID, decided)
      return { behavior: "allow", updatedInput: { ...decided.args } }
    } catch (cause) {
      return { behavior: "deny", message: `${name} was not run: ${messageOf(cause)}` }
    }
  }

  const ask = async ({ tool_name: name }: HookInput): Promise<HookOutput> =>
    typeof name === "string" && toolNamed(name).kind === "elsewhere"
      ? {}
      : { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } }
  const ended = async (input: HookInput, id: string | undefined): Promise<HookOutput> => {
    const run = await runs.report(id ?? "", outcomeOf(input))
    if (run?.edited !== true || input.hook_event_name !== "PostToolUse") return {}
    return { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: editedNote } }
  }
  // A pattern, which Claude Code compares with its own spelling of names: which server's tool it is, is looked up.
  const matcher = "mcp__.*"
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
