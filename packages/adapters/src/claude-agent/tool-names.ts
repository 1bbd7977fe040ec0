import { plainName, quoted } from "@byleave/core"
import { AdapterError } from "../call/adapter-error.ts"

/** The tool that a name of Claude Code's stands for. `elsewhere`: it is none of this server's. `unclear`: several tools, or none, are named so. */
export type ClaudeTool =
  | { readonly kind: "tool"; readonly tool: string }
  | { readonly kind: "unclear" }
  | { readonly kind: "elsewhere" }

/**
 * Reads the names that Claude Code gives the tools of one server: `mcp__<server>__<tool>`, both written by `plainName`. Throws where the
 * server's own name would not stay what it is.
 */
export function toolNames(server: string, tools: readonly string[]): (name: string) => ClaudeTool {
  // With a `_` at its end, it could not be told where the separator begins.
  if (server === "" || plainName(server) !== server || `${server}_`.includes("__")) {
    const allowed = "letters, digits, - and single _ between them"
    throw new AdapterError(
      "bad-options",
      `Claude Code knows the server ${quoted(server)} by another name. Name it with ${allowed}, in mcpServers and in rules.`,
    )
  }
  const prefix = `mcp__${server}__`
  const byPlainName = Map.groupBy(new Set(tools), plainName)
  return (name) => {
    if (!name.startsWith(prefix)) return { kind: "elsewhere" }
    const [tool, ...others] = byPlainName.get(name.slice(prefix.length)) ?? []
    return tool === undefined || others.length > 0 ? { kind: "unclear" } : { kind: "tool", tool }
  }
}
