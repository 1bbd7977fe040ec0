import { isShownBy } from "./shown-by.ts"

/** Reads that only list calls of one family are cheap. One that joins several is read again less often when it is merely calls that come and go. */
export const slowMs = 2_000

type Staleness = "fresh" | "stale" | "stale-soon"

/** Whether events of these types make a read of these families stale. */
export function staleness(families: string, types: ReadonlySet<string>): Staleness {
  const matching = [...types].filter((type) => isShownBy(families, type))
  if (matching.length === 0) return "fresh"
  const joins = families.includes("+")
  return joins && matching.every((type) => type.startsWith("approval.")) ? "stale-soon" : "stale"
}
