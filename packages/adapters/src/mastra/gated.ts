import { AdapterError } from "../call/adapter-error.ts"
import type { AdapterOptions } from "../call/adapter-options.ts"
import { hiddenTools } from "../call/hidden-tools.ts"
import { requireOneNameEach } from "../call/name-at-server.ts"
import { submitCall } from "../call/submit-call.ts"
import { toolValue } from "../call/tool-value.ts"

/** The tools of Mastra's `createTool` and `MCPClient`, as far as they matter here. */
type MastraTool = {
  readonly id?: unknown
  readonly mcpMetadata?: { readonly serverName?: unknown }
  execute?: (input: unknown, context?: { readonly abortSignal?: AbortSignal }) => Promise<unknown>
}

/** `namesAtServer`: the names policy knows the tools by, where Mastra's are others. Others: an MCP tool's own name, or the key. */
export type MastraOptions = AdapterOptions & { readonly namesAtServer?: ReadonlyMap<string, string> }

/** The same tools, asking the gate before they run. Hidden ones are left out. */
export async function gated<Tools extends Readonly<Record<string, object>>>(
  tools: Tools,
  options: MastraOptions,
): Promise<Tools> {
  const named = namedTools(Object.entries(tools as Record<string, MastraTool>), options)
  const hidden = await hiddenTools(
    options,
    named.map(({ name }) => name),
  )
  const offered = named.filter(({ name }) => !hidden.has(name))
  return Object.fromEntries(offered.map(({ key, tool, name }) => [key, gatedTool(name, tool, options)])) as Tools
}

type NamedTool = { readonly key: string; readonly tool: MastraTool; readonly name: string }

/** The tools with the names policy knows them by. Throws where they are of several servers, or a name is that of two tools. */
function namedTools(
  entries: ReadonlyArray<readonly [key: string, tool: MastraTool]>,
  options: MastraOptions,
): readonly NamedTool[] {
  const servers = new Set(entries.flatMap(([, tool]) => serverOf(tool) ?? []))
  if (servers.size > 1) {
    const said = [...servers].map((server) => JSON.stringify(server)).join(", ")
    const advice = "Gate the tools of each server by themselves, with that server's name in Byleave."
    throw new AdapterError("bad-options", `These are tools of several servers: ${said}. ${advice}`)
  }
  const named = entries.map(([key, tool]) => {
    return { key, tool, name: options.namesAtServer?.get(key) ?? nameInId(tool) ?? key }
  })
  requireOneNameEach(new Map(named.map(({ key, name }) => [key, name])))
  return named
}

function serverOf({ mcpMetadata }: MastraTool): string | undefined {
  return typeof mcpMetadata?.serverName === "string" ? mcpMetadata.serverName : undefined
}

/** `MCPClient` makes a tool's id of its server's name and its own. */
function nameInId(tool: MastraTool): string | undefined {
  const { id } = tool
  const prefix = `${serverOf(tool)}_`
  return serverOf(tool) !== undefined && typeof id === "string" && id.startsWith(prefix)
    ? id.slice(prefix.length)
    : undefined
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
