import type { AdapterOptions } from "../call/adapter-options.ts"
import { hiddenTools } from "../call/hidden-tools.ts"
import { submitCall } from "../call/submit-call.ts"
import { toolValue } from "../call/tool-value.ts"

/** The tools of Mastra's `createTool` and `MCPClient`, as far as they matter here. */
type MastraTool = {
  readonly id?: unknown
  execute?: (input: unknown, context?: { readonly abortSignal?: AbortSignal }) => Promise<unknown>
}

/** `namesAtServer`: the names policy knows the tools by, where Mastra's are others. Absent: their keys. */
export type MastraOptions = AdapterOptions & { readonly namesAtServer?: ReadonlyMap<string, string> }

/** The same tools, asking the gate before they run. Hidden ones are left out. */
export async function gated<Tools extends Readonly<Record<string, object>>>(
  tools: Tools,
  options: MastraOptions,
): Promise<Tools> {
  const nameAtServer = (key: string): string => options.namesAtServer?.get(key) ?? key
  const entries = Object.entries(tools as Record<string, MastraTool>)
  const hidden = await hiddenTools(
    options,
    entries.map(([key]) => nameAtServer(key)),
  )
  return Object.fromEntries(
    entries.flatMap(([key, tool]) => {
      const name = nameAtServer(key)
      return hidden.has(name) ? [] : [[key, gatedTool(name, tool, options)]]
    }),
  ) as Tools
}

function gatedTool(name: string, tool: MastraTool, options: AdapterOptions): MastraTool {
  const { execute } = tool
  if (execute === undefined) return tool
  // Mastra knows its tools by their class, so the copy keeps it.
  const copy: MastraTool = Object.assign(Object.create(Object.getPrototypeOf(tool)), tool)
  copy.execute = async (input, context) =>
    toolValue(
      await submitCall(options, { tool: name, input, signal: context?.abortSignal }, (given) =>
        execute.call(tool, given, context),
      ),
    )
  return copy
}
