import type { AdapterOptions } from "../call/adapter-options.ts"
import { hiddenTools } from "../call/hidden-tools.ts"
import { requireOneNameEach } from "../call/name-at-server.ts"
import { submitCall } from "../call/submit-call.ts"
import { noteKey, toolValue } from "../call/tool-value.ts"

/** The tools of the AI SDK's `tool()` and of `@ai-sdk/mcp`, as far as they matter here. */
type AiSdkTool = {
  readonly execute?: (input: unknown, context: { readonly abortSignal?: AbortSignal }) => unknown
  readonly toModelOutput?: (told: { readonly output: unknown }) => unknown
  /** `@ai-sdk/mcp`: the name its server knows the tool by. */
  readonly metadata?: { readonly toolName?: unknown }
}

/** The same tools, asking the gate before they run. Hidden ones are left out, and tools that run elsewhere (without `execute`) stay as they are. */
export async function gated<Tools extends Readonly<Record<string, object>>>(
  tools: Tools,
  options: AdapterOptions,
): Promise<Tools> {
  const entries = Object.entries(tools as Record<string, AiSdkTool>)
  const nameOf = new Map(entries.map(([name, tool]) => [name, nameAtServer(name, tool)]))
  requireOneNameEach(nameOf)
  const hidden = await hiddenTools(options, [...nameOf.values()])
  const offered = entries.filter(([name, tool]) => !hidden.has(nameAtServer(name, tool)))
  return Object.fromEntries(offered.map(([name, tool]) => [name, gatedTool(name, tool, options)])) as Tools
}

function gatedTool(name: string, tool: AiSdkTool, options: AdapterOptions): AiSdkTool {
  const { execute, toModelOutput } = tool
  if (execute === undefined) return tool
  return {
    ...tool,
    execute: async (input, context) => {
      const isOverMcp = typeof tool.metadata?.toolName === "string"
      const proposed = { tool: nameAtServer(name, tool), input, signal: context?.abortSignal, isOverMcp }
      const run = async (given: unknown) => lastOf(await execute.call(tool, given, context))
      return toolValue(await submitCall(options, proposed, run))
    },
    ...(toModelOutput === undefined ? {} : { toModelOutput: tellingModel((told) => toModelOutput.call(tool, told)) }),
  }
}

function nameAtServer(name: string, { metadata }: AiSdkTool): string {
  return typeof metadata?.toolName === "string" ? metadata.toolName : name
}

/** A tool may give its result in steps. The earlier steps of a held call are not shown: its last step is its result. */
async function lastOf(value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value
  let last: unknown
  for await (const step of value as AsyncIterable<unknown>) last = step
  return last
}

/** A tool's own words for the model know neither of a call that waits nor of an edit. */
function tellingModel(toModelOutput: NonNullable<AiSdkTool["toModelOutput"]>): typeof toModelOutput {
  return async (told) => {
    const { output } = told
    if (typeof output !== "object" || output === null) return toModelOutput(told)
    if ("requiresPermission" in output && output.requiresPermission === true) return { type: "json", value: output }
    const said = await toModelOutput(told)
    if (!(noteKey in output)) return said
    const note = { type: "text", text: String(output[noteKey]) }
    return { type: "content", value: [...contentOf(said), note] }
  }
}

function contentOf(said: unknown): readonly unknown[] {
  const { type, value } = said as { readonly type?: unknown; readonly value?: unknown }
  if (type === "content" && Array.isArray(value)) return value
  return [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }]
}
