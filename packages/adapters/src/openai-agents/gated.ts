import { type JsonObject, type JsonValue, listAt, type ToolDefinition } from "@byleave/core"
import type { AdapterOptions } from "../call/adapter-options.ts"
import { argumentsOf } from "../call/json.ts"
import { mcpResult } from "../call/mcp-result.ts"
import { offeredTools } from "../call/offered-tools.ts"
import { submitCall } from "../call/submit-call.ts"

/** The methods of an MCP server that the Agents SDK uses, as far as they matter here. */
type McpServer = {
  readonly listTools: () => Promise<ReadonlyArray<{ readonly name: string }>>
  readonly callTool: ServerCall<readonly unknown[]>
  readonly callToolResult?: ServerCall<object>
}
type ServerCall<Result> = (tool: string, args: unknown, meta?: unknown, how?: CallHow) => Promise<Result>
type CallHow = { readonly signal?: AbortSignal }

/** The same server for an agent's `mcpServers`, asking the gate before a call is sent. */
export function gated<Server extends object>(server: Server, options: AdapterOptions): Server {
  const behind = server as unknown as McpServer
  let listed: ReadonlyMap<string, ToolDefinition> = new Map()

  const throughGate = async (
    [tool, input, meta, how]: Parameters<ServerCall<object>>,
    send: ServerCall<object>,
  ): Promise<object> => {
    const extraParams = meta === undefined || meta === null ? undefined : { _meta: argumentsOf(meta) }
    const proposed = { tool, input, extraParams, signal: how?.signal, definition: listed.get(tool), isOverMcp: true }
    return mcpResult(
      await submitCall(options, proposed, (args, _, beside) => send(tool, args, metaIn(beside, meta), how)),
    )
  }
  const { callToolResult } = behind
  const instead = new Map<string | symbol, unknown>(
    Object.entries({
      listTools: async () => {
        const tools = (await behind.listTools()) as readonly ToolDefinition[]
        listed = new Map(tools.map((tool) => [tool.name, tool]))
        return offeredTools(options, tools)
      },
      callTool: async (...call: Parameters<McpServer["callTool"]>) =>
        contentOf(
          await throughGate(call, async (...given) => {
            const content = await behind.callTool(...given)
            const { isError } = content as { readonly isError?: unknown }
            return { content, ...(isError === true ? { isError } : {}) }
          }),
        ),
      ...(callToolResult === undefined
        ? {}
        : {
            callToolResult: (...call: Parameters<ServerCall<object>>) =>
              throughGate(call, (...given) => callToolResult.apply(behind, given)),
          }),
    }),
  )
  return new Proxy(server, {
    get: (target, key) => {
      if (instead.has(key)) return instead.get(key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

/** The `_meta` that was shown; where none was, the host's own way to say so. */
function metaIn(extraParams: JsonObject | undefined, given: unknown): unknown {
  return extraParams?._meta ?? (given === null ? null : undefined)
}

/** Here a result is its content alone, so a call that waits is told as text. */
function contentOf(result: object): readonly JsonValue[] {
  if (!("requiresPermission" in result)) return listAt(result as JsonObject, "content") ?? []
  const { content: _, ...permission } = result as JsonObject
  return [{ type: "text", text: JSON.stringify(permission) }]
}
