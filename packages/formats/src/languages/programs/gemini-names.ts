import { type Effect, escapeGlob } from "@byleave/core"
import type { Findings } from "../import/found-rules.ts"
import {
  type CutNames,
  type NamedTool,
  restrictedBy,
  splitJoined,
  starGlob,
  uncutName,
  withToolsWrittenAlike,
  writtenLike,
} from "../joined-names.ts"

/** `mcpName` names the server; without it, a tool is named `mcp_server_tool`, and `mcp_server_*` is that server alone. */
export function toolsNamed(
  effect: Effect,
  tools: readonly string[],
  server: string | undefined,
  { options }: Findings,
): readonly NamedTool[] {
  const glob = (name: string) => (name === "*" ? "*" : escapeGlob(name))
  const alike = (named: NamedTool) =>
    effect === "allow" ? [named] : withToolsWrittenAlike(named, geminiName, options.tools)
  if (server !== undefined) return tools.flatMap((tool) => alike({ server: glob(server), tool: glob(tool) }))
  return tools.flatMap((tool): readonly NamedTool[] => {
    if (tool === "*" || tool === "mcp_*") return [{ server: "*", tool: "*" }]
    if (!tool.startsWith("mcp_")) return []
    const rest = tool.slice("mcp_".length)
    if (rest.endsWith("_*")) return [{ server: escapeGlob(rest.slice(0, -2)), tool: "*" }]
    const pattern = effect === "allow" ? escapeGlob(rest) : starGlob(uncutName(tool, cutNames).slice("mcp_".length))
    const { known, possible } = splitJoined(pattern, "_", options.servers, geminiName)
    if (effect === "allow") return known
    const like = possible.map((named) => ({ ...named, server: writtenLike(named.server) }))
    return restrictedBy(pattern, "_", { known, possible: like }).flatMap(alike)
  })
}

/** A name as models are given it. */
export function geminiName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.:-]/g, "_")
}

export const cutNames = { length: 63, at: 30, mark: "..." } as const satisfies CutNames
