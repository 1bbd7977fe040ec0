import type { ToolFacts } from "../policy/decide/decision.ts"
import type { Breadth } from "../policy/rules/remembered.ts"

/** "This server's reads" as they are now, by name: a tool that appears later, or is only called a read, is not among them. */
export function freezeReads(
  server: string,
  facts: Iterable<readonly [string, Pick<ToolFacts, "access" | "accessCounts">]>,
): Extract<Breadth, { kind: "reads" }> {
  const tools = [...facts].filter(([, tool]) => tool.access === "read" && tool.accessCounts).map(([name]) => name)
  return { kind: "reads", server, tools: tools.sort() }
}
