import type { GrantView } from "@byleave/api"

/** The levels that chats know permissions by: reading, changing, or both. */
export type PermissionLevel = "read" | "write" | "all"

/** How far a permission goes. `readTools`: those of its server that only read. */
export function permissionLevel(
  { breadth }: Pick<GrantView, "breadth">,
  readTools: readonly string[],
): PermissionLevel {
  switch (breadth.kind) {
    case "server":
      return breadth.access
    case "reads":
      return "read"
    case "tool":
      return readTools.includes(breadth.tool) ? "read" : "write"
    case "pattern":
      return "all"
  }
}
