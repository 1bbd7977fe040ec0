import {
  addToTotal,
  addUse,
  type CallUse,
  type EpochMs,
  forgetCountsAt,
  isCounted,
  sessionKey,
  type UsageCounts,
} from "@byleave/core"
import { sweptPerRow } from "../use-conflict.ts"
import type { MemoryDatabase } from "./memory-database.ts"

export function countsOf(database: MemoryDatabase, { principal, session }: CallUse): UsageCounts {
  return {
    principal: database.principalCounts.get(principal),
    session: session === undefined ? undefined : database.sessionTotals.get(sessionKey({ principal, id: session })),
  }
}

export function countUse(database: MemoryDatabase, use: CallUse, at: EpochMs): void {
  const { principal, session } = use
  const before = countsOf(database, use)
  const { principalCounts, sessionTotals } = database
  if (isCounted(use)) {
    putLast(principalCounts, principal, addUse(before.principal, use, at), (counts) => forgetCountsAt(counts) <= at)
  }
  if (session === undefined) return
  const key = sessionKey({ principal, id: session })
  putLast(sessionTotals, key, addToTotal(before.session, at), ({ forgetAt }) => forgetAt <= at)
}

function putLast<Row>(rows: Map<string, Row>, key: string, row: Row, isOver: (row: Row) => boolean): void {
  if (!rows.delete(key)) sweep(rows, isOver)
  rows.set(key, row)
}

function sweep<Row>(rows: Map<string, Row>, isOver: (row: Row) => boolean): void {
  let looked = 0
  for (const [key, row] of rows) {
    if (looked++ === sweptPerRow || !isOver(row)) return
    rows.delete(key)
  }
}
