import type { TokenView } from "@byleave/api"

export const tokenKindWords = {
  agent: {
    label: "Agent",
    words: "An MCP client: it may call tools through Byleave and nothing else.",
  },
  gate: {
    label: "Program",
    words:
      "A program that asks Byleave before it runs tools of its own. It may ask about its own calls and nothing else.",
  },
} as const satisfies Record<TokenView["kind"], { readonly label: string; readonly words: string }>

const hour = 3_600_000
const day = 24 * hour

/** Uses are kept to the hour, so no more than that is said. */
export function tokenUseWords(lastUsedAt: number | null, now: number): string {
  if (lastUsedAt === null) return "never used"
  const since = now - lastUsedAt
  if (since < hour) return "used within the hour"
  if (since < day) return `last used about ${Math.floor(since / hour)} h ago`
  return `last used about ${Math.floor(since / day)} ${since < 2 * day ? "day" : "days"} ago`
}
