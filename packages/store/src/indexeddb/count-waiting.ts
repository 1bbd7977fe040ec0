import type { EpochMs } from "@byleave/core"
import { inTransaction, openDatabase, resultOf } from "./database.ts"
import type { ApprovalRow } from "./rows.ts"

type CountedWaiting = {
  readonly count: number
  /** When the first of them is over; null: none is. */
  readonly firstEnds: EpochMs | null
}

/** Counts the calls that wait, for whoever only wants the number: opens no chain, and makes no database that is not there. */
export async function countWaiting(factory: IDBFactory, name: string, now: EpochMs): Promise<CountedWaiting> {
  const known = await factory.databases()
  if (!known.some((each) => each.name === name)) return { count: 0, firstEnds: null }
  const database = await openDatabase(factory, name)
  try {
    const pending = await inTransaction(database, { mode: "readonly" }, ["approvals"], (table) => {
      const range = IDBKeyRange.bound(["pending"], ["pending", []])
      return resultOf<ApprovalRow[]>(table("approvals").index("byStatus").getAll(range))
    })
    const ends = pending.map(({ dueAt = Number.POSITIVE_INFINITY }) => dueAt).filter((end) => end > now)
    const first = Math.min(...ends)
    return { count: ends.length, firstEnds: Number.isFinite(first) ? first : null }
  } finally {
    database.close()
  }
}
