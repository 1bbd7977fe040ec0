import type { Change } from "@byleave/core"

/** Uses a grant has left: null for no limit, undefined when there is no such grant. */
export type UsesLeft = (grant: string) => number | null | undefined

/** The grant that keeps a change from being made: a counted use of one that is gone or used up. Null when none does. */
export function grantConflict(change: Change, stored: UsesLeft): string | null {
  const counted = change.grantUses?.filter((use) => use.counted) ?? []
  if (counted.length === 0) return null
  const left = new Map<string, number | null | undefined>()
  for (const write of change.grants ?? []) {
    if ("put" in write) left.set(write.put.id, write.put.usesLeft ?? null)
    else left.set(write.remove, undefined)
  }
  for (const { grant } of counted) {
    const uses = left.has(grant) ? left.get(grant) : stored(grant)
    if (uses === undefined || uses === 0) return grant
    left.set(grant, uses === null ? null : uses - 1)
  }
  return null
}
