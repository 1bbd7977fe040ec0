/** The pages there are, in the order people need them. The first four stand in the bar of a phone. */
export const pageLinks = [
  { path: "/", title: "Waiting", words: "Calls that need your approval" },
  { path: "/chat", title: "Chat", words: "Talk to an agent, and decide where it asks" },
  { path: "/activity", title: "Activity", words: "Every call and its outcome" },
  { path: "/permissions", title: "Permissions", words: "Saved permissions and their effect" },
  { path: "/sessions", title: "Sessions", words: "Connected agents and their modes" },
  { path: "/runs", title: "Runs", words: "Agents that Byleave runs" },
  { path: "/servers", title: "Servers", words: "MCP servers and their tools" },
  { path: "/policy", title: "Policy", words: "The rules in force" },
  { path: "/insight", title: "Insight", words: "Charts of calls and decisions" },
  { path: "/audit", title: "Audit", words: "Tamper-evident log" },
  { path: "/settings", title: "Settings", words: "This browser, reviewers and tokens" },
] as const

export type PagePath = (typeof pageLinks)[number]["path"]

export function titleAt(pathname: string): string {
  if (pathname.startsWith("/activity/")) return "A call"
  if (pathname.startsWith("/sessions/")) return "A session"
  if (pathname.startsWith("/chat/")) return "Chat"
  if (pathname.startsWith("/runs/")) return "A run"
  if (pathname.startsWith("/review/")) return "Review changes"
  if (pathname === "/connect") return "Connect an agent"
  return pageLinks.find(({ path }) => path === pathname)?.title ?? "Page not found"
}
