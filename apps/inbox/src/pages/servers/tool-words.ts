import type { ServerView } from "@byleave/api"

export type ServerTool = ServerView["tools"][number]

/** One word for the present answer to a tool's calls. */
export const effectWords = {
  allow: { word: "Allowed", tone: "yes" },
  ask: { word: "Needs approval", tone: "wait" },
  deny: { word: "Denied", tone: "no" },
  hide: { word: "Hidden", tone: "plain" },
} as const satisfies Record<ServerTool["effect"], { readonly word: string; readonly tone: string }>

/** A guess by the tool's name is not told as a fact. */
export function accessWords({ access, accessFrom }: Pick<ServerTool, "access" | "accessFrom">): string {
  if (access === "write") return "May modify data"
  return accessFrom === "name" ? "Probably read-only" : "Read-only"
}

/** Who says that it reads or writes. */
export function accessSource(tool: Pick<ServerTool, "access" | "accessFrom">, trust: ServerView["trust"]): string {
  switch (tool.accessFrom) {
    case "classify":
      return "according to your policy"
    case "annotation":
      return "according to its server, which you trust"
    case "name":
      return trust === "annotations" ? "judging by its name" : "judging by its name only; rules do not rely on this"
    case "default":
      return "assumed by default"
  }
}

const order = ["allow", "ask", "deny", "hide"] as const
const counted = { allow: "allowed", ask: "need approval", deny: "denied", hide: "hidden" } as const

/** Such as `14 tools: 3 run unasked, 11 ask`. */
export function toolsSummary(tools: readonly ServerTool[]): string {
  if (tools.length === 0) return "No tools known yet"
  const parts = order
    .map((effect) => ({ effect, count: tools.filter((tool) => tool.effect === effect).length }))
    .filter(({ count }) => count > 0)
    .map(({ effect, count }) => `${count} ${counted[effect]}`)
  return `${tools.length} ${tools.length === 1 ? "tool" : "tools"}: ${parts.join(", ")}`
}
