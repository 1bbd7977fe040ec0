const hour = 3_600_000
const day = 24 * hour

/** Uses of tokens and devices are kept to the hour, so no more than that is said. */
export function lastUseWords(lastUsedAt: number | null, now: number): string {
  if (lastUsedAt === null) return "never used"
  const since = now - lastUsedAt
  if (since < hour) return "used within the hour"
  if (since < 2 * hour) return "used within the last 2 hours"
  if (since < day) return `last used about ${Math.floor(since / hour)} h ago`
  return `last used about ${Math.floor(since / day)} ${since < 2 * day ? "day" : "days"} ago`
}
