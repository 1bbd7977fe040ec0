import type { Change } from "@byleave/core"

/** Whether decisions may fall otherwise after this change. */
export function movesEpoch(change: Change): boolean {
  if (change.movesEpoch === true) return true
  const sessions = change.movesEpoch === false ? undefined : change.sessions
  return [change.grants, change.pins, sessions].some((writes) => writes !== undefined && writes.length > 0)
}
