import type { JsonObject } from "@byleave/core"
import { WireError, wireErrors } from "../wire/wire-error.ts"
import type { AskFilter, FaceSettings, NamedServer, ToolFilter } from "./face.ts"
import type { RequestedMcpTool, RequestedToolFilter, ResponsesRequest } from "./request-body.ts"

/** A server of the configuration. `urls`: addresses by which a request may mean it. */
export type ConfiguredServer = { readonly name: string; readonly urls: readonly string[] }

/** The servers that a request names, each of them one that Byleave is configured with. */
export function requestedServers(
  { tools }: ResponsesRequest,
  known: readonly ConfiguredServer[],
): readonly NamedServer[] {
  const servers: NamedServer[] = []
  for (const [at, tool] of (tools ?? []).entries()) {
    if (tool.type !== "mcp") continue
    const named = namedServer(tool, known, `tools[${at}]`)
    if (servers.some(({ label, server }) => label === named.label || server === named.server)) {
      throw wireErrors.invalid(`Two tools name the MCP server '${named.label}'. Name each server once.`, "tools")
    }
    servers.push(named)
  }
  return servers
}

function namedServer(tool: RequestedMcpTool, known: readonly ConfiguredServer[], param: string): NamedServer {
  const { server_label: label, server_url: url } = tool
  if (tool.connector_id != null || tool.tunnel_id != null) {
    throw new WireError(
      400,
      `Connectors and tunnels are not supported here. Name one of Byleave's servers: ${names(known)}.`,
      { param },
    )
  }
  const server =
    url == null
      ? known.find(({ name }) => name === label)
      : known.find(({ urls }) => urls.some((one) => sameUrl(one, url)))
  if (server === undefined) {
    const what = url == null ? `server_label '${label}' is` : `server_url '${url}' is`
    throw new WireError(
      400,
      `${what} not an MCP server that Byleave is configured with. Add it under servers: in byleave.yaml, and name it by server_label without a server_url. Configured servers: ${names(known)}.`,
      { param, code: "mcp_server_not_configured" },
    )
  }
  return { label, server: server.name, allowed: allowedOf(tool.allowed_tools), asks: asksOf(tool.require_approval) }
}

function names(known: readonly ConfiguredServer[]): string {
  return known.length === 0 ? "none" : known.map(({ name }) => name).join(", ")
}

function sameUrl(one: string, other: string): boolean {
  return withoutEndSlashes(one) === withoutEndSlashes(other)
}

function withoutEndSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === "/") end -= 1
  return url.slice(0, end)
}

function allowedOf(allowed: RequestedMcpTool["allowed_tools"]): ToolFilter | null {
  if (allowed == null) return null
  return Array.isArray(allowed) ? { names: allowed } : filterOf(allowed)
}

/** As OpenAI does: asked, unless the request says otherwise. */
function asksOf(asks: RequestedMcpTool["require_approval"]): AskFilter {
  if (asks == null || asks === "always") return { otherwise: true }
  if (asks === "never") return { otherwise: false }
  return {
    ...(asks.always === undefined ? {} : { always: filterOf(asks.always) }),
    ...(asks.never === undefined ? {} : { never: filterOf(asks.never) }),
    otherwise: asks.always === undefined,
  }
}

function filterOf({ tool_names: names, read_only: readOnly }: RequestedToolFilter): ToolFilter {
  return { ...(names === undefined ? {} : { names }), ...(readOnly === undefined ? {} : { readOnly }) }
}

export function settingsFrom(request: ResponsesRequest): FaceSettings {
  const { temperature, top_p: topP, max_output_tokens: maxOutputTokens, tool_choice: choice } = request
  const toolChoice = toolChoiceFrom(choice)
  return {
    ...(temperature == null ? {} : { temperature }),
    ...(topP == null ? {} : { topP }),
    ...(maxOutputTokens == null ? {} : { maxOutputTokens }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
  }
}

function toolChoiceFrom(choice: ResponsesRequest["tool_choice"]): FaceSettings["toolChoice"] {
  if (choice === "none" || choice === "required") return choice
  if (typeof choice !== "object" || choice === null) return undefined
  if (choice.type === "function") return { function: choice.name }
  return choice.type === "mcp" || choice.mode === "required" ? "required" : undefined
}

/** The fields of a request that its response repeats. Headers, authorizations and addresses of tools may be secrets: they are left out. */
export function echoOf(request: ResponsesRequest): JsonObject {
  const { tools, previous_response_id: previous, tool_choice: choice } = request
  const said = {
    previous_response_id: previous ?? null,
    instructions: request.instructions ?? null,
    metadata: request.metadata ?? {},
    temperature: request.temperature ?? 1,
    top_p: request.top_p ?? 1,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    top_logprobs: request.top_logprobs ?? 0,
    truncation: request.truncation ?? "disabled",
    text: request.text ?? { format: { type: "text" } },
    reasoning: request.reasoning ?? { effort: null, summary: null },
    background: request.background ?? false,
    store: request.store ?? true,
    service_tier: "default",
    safety_identifier: request.safety_identifier ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    tool_choice: choice ?? "auto",
    tools: (tools ?? []).map(echoedTool),
  }
  return JSON.parse(JSON.stringify(said))
}

function echoedTool(tool: NonNullable<ResponsesRequest["tools"]>[number]): JsonObject {
  const echoed: JsonObject =
    tool.type === "mcp"
      ? JSON.parse(
          JSON.stringify({
            type: "mcp",
            server_label: tool.server_label,
            server_description: tool.server_description ?? undefined,
            allowed_tools: tool.allowed_tools ?? undefined,
            require_approval: tool.require_approval ?? "always",
          }),
        )
      : {
          type: "function",
          name: tool.name,
          description: tool.description ?? null,
          parameters: tool.parameters ?? null,
          strict: tool.strict ?? true,
        }
  return echoed
}
