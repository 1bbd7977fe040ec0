/** The pages there are, in the order people need them. The first four stand in the bar of a phone. */
export const places = [
  { path: "/", title: "Waiting", words: "What your agents ask to do" },
  { path: "/activity", title: "Activity", words: "Every call and what became of it" },
  { path: "/permissions", title: "Permissions", words: "What is remembered, and what would happen" },
  { path: "/sessions", title: "Sessions", words: "Who is at work, and in which mode" },
  { path: "/servers", title: "Servers", words: "The tools behind Byleave" },
  { path: "/policy", title: "Policy", words: "The rules in force" },
  { path: "/insight", title: "Insight", words: "Plots of what was asked and decided" },
  { path: "/audit", title: "Audit", words: "The record, and proof that it is whole" },
  { path: "/settings", title: "Settings", words: "This browser, people and tokens" },
] as const

export type PlacePath = (typeof places)[number]["path"]

/** The title of the page at this address. */
export function titleAt(pathname: string): string {
  if (pathname.startsWith("/activity/")) return "A call"
  if (pathname.startsWith("/sessions/")) return "A session"
  return places.find(({ path }) => path === pathname)?.title ?? "Not here"
}
