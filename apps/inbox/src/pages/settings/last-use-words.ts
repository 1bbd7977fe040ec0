import { lengthInWords } from "@byleave/ui"

const hour = 3_600_000

/** Uses of tokens and devices are kept to the hour, so no more than that is said. */
export function lastUseWords(lastUsedAt: number | null, now: number): string {
  if (lastUsedAt === null) return "never used"
  const since = now - lastUsedAt
  if (since < hour) return "used within the hour"
  if (since < 2 * hour) return "used within the last 2 hours"
  return `last used about ${lengthInWords(Math.floor(since / hour) * hour)} ago`
}
