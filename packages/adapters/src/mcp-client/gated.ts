import type { ToolDefinition } from "@byleave/core"
import type { AdapterOptions } from "../call/adapter-options.ts"
import { argumentsOf } from "../call/json.ts"
import { mcpResult } from "../call/mcp-result.ts"
import { offeredTools } from "../call/offered-tools.ts"
import { submitCall } from "../call/submit-call.ts"
import { listAllTools, type ToolPage } from "./list-all-tools.ts"

/** The common methods of the clients of `@modelcontextprotocol/client` and of the older `@modelcontextprotocol/sdk`. */
type McpClient = {
  readonly callTool: (params: CallToolParams, ...rest: readonly unknown[]) => Promise<object>
  readonly listTools: (params?: object, ...rest: readonly unknown[]) => Promise<ToolPage>
}
type CallToolParams = { readonly name: string; readonly arguments?: unknown; readonly [other: string]: unknown }

/**
 * The same client, whose tools ask the gate before their calls are sent and are listed as policy offers them, all of them at once. All else
 * is as before.
 */
export function gated<Client extends object>(client: Client, options: AdapterOptions): Client {
  const behind = client as unknown as McpClient
  let listed: ReadonlyMap<string, ToolDefinition> = new Map()

  const callTool: McpClient["callTool"] = async ({ name, arguments: input, ...others }, ...rest) => {
    const definition = listed.get(name)
    const proposed = {
      tool: name,
      input,
      extraParams: argumentsOf(others),
      signal: signalIn(rest),
      definition,
      isOverMcp: true,
    }
    const answer = await submitCall(options, proposed, (args, _, extraParams) =>
      behind.callTool({ ...extraParams, name, ...(args === undefined ? {} : { arguments: args }) }, ...rest),
    )
    return mcpResult(answer)
  }
  const listTools: McpClient["listTools"] = async (params, ...rest) => {
    const { cursor: _, ...others }: { readonly cursor?: unknown } = params ?? {}
    const tools = await listAllTools((cursor) =>
      behind.listTools(cursor === undefined ? others : { ...others, cursor }, ...rest),
    )
    listed = new Map(tools.map((tool) => [tool.name, tool]))
    return { tools: await offeredTools(options, tools) }
  }
  const instead = new Map<string | symbol, unknown>(Object.entries({ callTool, listTools }))
  return new Proxy(client, {
    get: (target, key) => {
      if (instead.has(key)) return instead.get(key)
      const value: unknown = Reflect.get(target, key, target)
      // Private members are found on the client itself, not on what stands before it.
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

function signalIn(rest: readonly unknown[]): AbortSignal | undefined {
  for (const given of rest) {
    if (typeof given === "object" && given !== null && "signal" in given && given.signal instanceof AbortSignal) {
      return given.signal
    }
  }
  return undefined
}
