import type { Change } from "@byleave/core"

/** Whether decisions may fall otherwise after this change. */
export function movesEpoch(change: Change): boolean {
  if (change.movesEpoch === true) return true
  return [change.grants, change.pins, change.sessions].some((writes) => writes !== undefined && writes.length > 0)
}
