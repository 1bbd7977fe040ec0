import type { ServerView } from "@byleave/api"
import { freezeReads, type ToolFacts } from "@byleave/core"

export type KnownAccess = Pick<ToolFacts, "access" | "accessCounts">

/** The access of a server's known tools, as the gate judges it. */
export function knownAccess(server: ServerView | null): ReadonlyMap<string, KnownAccess> {
  return new Map(server?.tools.map((tool) => [tool.name, accessOf(tool, server.trust)]) ?? [])
}

/** A read that only the tool's name claims counts where the server is trusted and nowhere else. */
function accessOf(tool: ServerView["tools"][number], trust: ServerView["trust"]): KnownAccess {
  const counts = tool.accessFrom !== "name" || (trust === "annotations" && tool.definition !== null)
  return { access: tool.access, accessCounts: counts }
}

/** The tools that "this server's reads" would name now. */
export function readsOf(server: ServerView): readonly string[] {
  return freezeReads(server.id, knownAccess(server)).tools
}
