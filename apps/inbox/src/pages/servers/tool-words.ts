import type { ServerView } from "@byleave/api"

export type ServerTool = ServerView["tools"][number]

/** What happens to a call of it now, in one word. */
export const effectWords = {
  allow: { word: "Runs", tone: "yes" },
  ask: { word: "Asks", tone: "wait" },
  deny: { word: "Refused", tone: "no" },
  hide: { word: "Hidden", tone: "plain" },
} as const satisfies Record<ServerTool["effect"], { readonly word: string; readonly tone: string }>

/** What a name alone suggests is not told as if it were known. */
export function accessWords({ access, accessFrom }: Pick<ServerTool, "access" | "accessFrom">): string {
  if (access === "write") return "Writes"
  return accessFrom === "name" ? "Seems to read" : "Reads"
}

/** Who says that it reads or writes. */
export function accessSource(tool: Pick<ServerTool, "access" | "accessFrom">, trust: ServerView["trust"]): string {
  switch (tool.accessFrom) {
    case "classify":
      return "by a rule of yours"
    case "annotation":
      return "says its server, which is trusted in this"
    case "name":
      return trust === "annotations" ? "by its name" : "by its name only: a label, no rule counts on it"
    case "default":
      return "nobody says that it only reads"
  }
}

export const pinWords = {
  accepted: { word: "Accepted", tone: "plain" },
  changed: { word: "Changed", tone: "wait" },
  new: { word: "New", tone: "wait" },
  rejected: { word: "Rejected", tone: "no" },
  quarantined: { word: "In quarantine", tone: "no" },
  unpinned: { word: "Not pinned", tone: "plain" },
} as const satisfies Record<ServerTool["pin"], { readonly word: string; readonly tone: string }>

const order = ["allow", "ask", "deny", "hide"] as const
const counted = { allow: "run unasked", ask: "ask", deny: "refused", hide: "hidden" } as const

/** Such as `14 tools: 3 run unasked, 11 ask`. */
export function toolsSummary(tools: readonly ServerTool[]): string {
  if (tools.length === 0) return "No tools known yet"
  const parts = order
    .map((effect) => ({ effect, count: tools.filter((tool) => tool.effect === effect).length }))
    .filter(({ count }) => count > 0)
    .map(({ effect, count }) => `${count} ${counted[effect]}`)
  return `${tools.length} ${tools.length === 1 ? "tool" : "tools"}: ${parts.join(", ")}`
}
