import type { AdapterOptions } from "../call/adapter-options.ts"
import { decideCall } from "../call/decide-call.ts"
import { messageOf, toJson } from "../call/json.ts"
import { type NameAtServer, nameAtServer } from "../call/name-at-server.ts"
import { openRuns } from "../call/open-runs.ts"
import { editedNote, toldText } from "../call/told-text.ts"
import { noteKey } from "../call/tool-value.ts"

/** The arguments of ADK's callbacks, as far as they matter here. */
type ToolUse = {
  readonly tool: { readonly name: string }
  readonly args: Record<string, unknown>
  readonly context: { readonly functionCallId?: string }
}
type ToolResponse = Record<string, unknown>

/** `tools`: the server's tools among the agent's; others are left alone. A function where ADK's names are others, as with a toolset's prefix. */
export type AdkOptions = AdapterOptions & { readonly tools: readonly string[] | NameAtServer }

/** Callbacks of an `LlmAgent`. `end` is for when the agent is done: what ADK told no end of becomes unknown. */
export type AdkCallbacks = {
  readonly beforeToolCallback: (use: ToolUse) => Promise<ToolResponse | undefined>
  readonly afterToolCallback: (use: ToolUse & { readonly response: ToolResponse }) => Promise<ToolResponse | undefined>
  readonly end: () => Promise<void>
}

/** The gate decides before a tool runs, and hears afterwards how it ended. */
export function gated(options: AdkOptions): AdkCallbacks {
  const runs = openRuns()
  const nameOf = nameAtServer(options.tools)
  return {
    beforeToolCallback: async ({ tool: { name }, args, context }) => {
      const tool = nameOf(name)
      if (tool === undefined) return undefined
      try {
        const decided = await decideCall(options, { tool, input: args })
        if (decided.kind === "waiting") return { ...decided.permission }
        if (decided.kind !== "run") return { error: toldText(decided) }
        // ADK runs the tool with this very object.
        for (const key of Object.keys(args)) delete args[key]
        // `__proto__` may be an argument's name.
        for (const [key, value] of Object.entries(decided.args)) {
          Object.defineProperty(args, key, { value, writable: true, enumerable: true, configurable: true })
        }
        runs.add(context.functionCallId ?? "", decided)
        return undefined
      } catch (cause) {
        return { error: `${name} was not run: ${messageOf(cause)}` }
      }
    },
    afterToolCallback: async ({ context, response }) => {
      const run = await runs.report(context.functionCallId ?? "", outcomeOf(response))
      if (run === undefined || !run.edited || !isObject(response)) return undefined
      return { ...response, [noteKey]: editedNote }
    },
    end: runs.end,
  }
}

/** A tool that threw has no response here, and neither has one that gave nothing: ADK does not say which. */
function outcomeOf(response: unknown) {
  if (response === undefined || response === null) {
    return { kind: "unknown", detail: "The tool failed or gave no result; ADK does not say which." } as const
  }
  const json = toJson(response)
  const isError = isObject(response) && (response.isError === true || "error" in response)
  return isError ? ({ kind: "failed", error: json } as const) : ({ kind: "succeeded", result: json } as const)
}

function isObject(value: unknown): value is ToolResponse {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
