import { type Effect, escapeGlob } from "@byleave/core"
import type { Findings } from "../import/found-rules.ts"
import { type NamedTool, restrictedBy, splitJoined, writtenLike } from "../joined-names.ts"

/** `mcpName` names the server; without it, a tool is named `mcp_server_tool`, and `mcp_server_*` is that server alone. */
export function toolsNamed(
  effect: Effect,
  tools: readonly string[],
  server: string | undefined,
  { options }: Findings,
): readonly NamedTool[] {
  const glob = (name: string) => (name === "*" ? "*" : escapeGlob(name))
  if (server !== undefined) return tools.map((tool) => ({ server: glob(server), tool: glob(tool) }))
  return tools.flatMap((tool): readonly NamedTool[] => {
    if (tool === "*" || tool === "mcp_*") return [{ server: "*", tool: "*" }]
    if (!tool.startsWith("mcp_")) return []
    const rest = tool.slice("mcp_".length)
    if (rest.endsWith("_*")) return [{ server: escapeGlob(rest.slice(0, -2)), tool: "*" }]
    const pattern = escapeGlob(rest)
    const { known, possible } = splitJoined(pattern, "_", options.servers, geminiName)
    if (effect === "allow") return known
    const like = possible.map((named) => ({ ...named, server: writtenLike(named.server) }))
    return restrictedBy(pattern, "_", { known, possible: like })
  })
}

/** A name as models are given it. */
export function geminiName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.:-]/g, "_")
}
