import type { DatabaseSync } from "node:sqlite"
import {
  addToTotal,
  addUse,
  type CallUse,
  type EpochMs,
  forgetCountsAt,
  isCounted,
  type PrincipalCounts,
  type SessionTotal,
  sessionKey,
  type UsageCounts,
} from "@byleave/core"
import { keyText } from "../../key-text.ts"
import { sweptPerRow } from "../../use-conflict.ts"
import type { AheadRow } from "./chain-table.ts"
import { type PreparedStatements, prepared } from "./prepared.ts"
import { storedJson } from "./stored-json.ts"

/**
 * The recent activity of agents. The calls of one transaction are mostly of the same few agents: each is read and written once. Uses added
 * between transactions, ahead of the database, are kept in memory until the next one, which is told of them again.
 */
export type UsageTable = {
  /** A transaction begins: others may have counted since the last one. Adds the uses that were counted ahead and are taken in now. */
  readonly begin: (takenIn: readonly AheadRow[]) => void
  readonly countsOf: (use: CallUse) => UsageCounts
  readonly add: (use: CallUse, at: EpochMs) => void
  /** Writes the added uses. */
  readonly end: () => void
}

type SessionRow = SessionTotal & { readonly principal: string; readonly session: string }

/** A row that was read, and its state since. */
type Kept<Row> = { row: Row | undefined; isNew: boolean; isChanged: boolean }

export function createUsageTable(database: DatabaseSync): UsageTable {
  const principals = principalRows(database)
  const sessions = sessionRows(database)
  const counts = new Map<string, Kept<PrincipalCounts>>()
  const totals = new Map<string, Kept<SessionRow>>()
  let latest = 0

  const countsFor = (principal: string): Kept<PrincipalCounts> =>
    keptIn(counts, principal, () => principals.get(principal))
  const totalFor = (principal: string, session: string): Kept<SessionRow> =>
    keptIn(totals, sessionKey({ principal, id: session }), () => sessions.get(principal, session))
  const add = (use: CallUse, at: EpochMs): void => {
    const { principal, session } = use
    latest = Math.max(latest, at)
    if (isCounted(use)) {
      const kept = countsFor(principal)
      change(kept, addUse(kept.row, use, at))
    }
    if (session === undefined) return
    const kept = totalFor(principal, session)
    change(kept, { principal, session, ...addToTotal(kept.row, at) })
  }
  return {
    begin: (takenIn) => {
      counts.clear()
      totals.clear()
      for (const [, at, , , , , , , use] of takenIn) if (use !== undefined) add(use, at)
    },
    countsOf: ({ principal, session }) => ({
      principal: countsFor(principal).row,
      session: session === undefined ? undefined : totalFor(principal, session).row,
    }),
    add,
    end: () => {
      for (const [principal, kept] of counts) write(kept, (row) => principals.put(principal, row), principals.sweep)
      for (const kept of totals.values()) write(kept, sessions.put, sessions.sweep)
    },
  }

  function write<Row>(kept: Kept<Row>, put: (row: Row) => void, sweep: (before: EpochMs) => void): void {
    if (kept.row === undefined || !kept.isChanged) return
    if (kept.isNew) sweep(latest)
    put(kept.row)
    kept.isNew = false
    kept.isChanged = false
  }
}

function keptIn<Row>(rows: Map<string, Kept<Row>>, key: string, read: () => Row | undefined): Kept<Row> {
  const known = rows.get(key)
  if (known !== undefined) return known
  const row = read()
  const kept = { row, isNew: row === undefined, isChanged: false }
  rows.set(key, kept)
  return kept
}

function change<Row>(kept: Kept<Row>, row: Row): void {
  kept.row = row
  kept.isChanged = true
}

function principalRows(database: DatabaseSync) {
  const get = prepared<{ doc: string }>(database, "SELECT doc FROM principal_counts WHERE principal = ?")
  const put = prepared(database, "INSERT OR REPLACE INTO principal_counts (principal, forget_at, doc) VALUES (?, ?, ?)")
  const sweep = sweeping(database, "principal_counts", "principal")
  return {
    get: (principal: string): PrincipalCounts | undefined => {
      const row = get.get(keyText(principal))
      return row === undefined ? undefined : storedJson<PrincipalCounts>(row.doc)
    },
    put: (principal: string, counts: PrincipalCounts): void => {
      put.run(keyText(principal), forgetCountsAt(counts), JSON.stringify(counts))
    },
    sweep: (before: EpochMs): void => {
      sweep.run(before)
    },
  }
}

function sessionRows(database: DatabaseSync) {
  const get = prepared<SessionTotal>(
    database,
    "SELECT total, forget_at AS forgetAt FROM session_totals WHERE principal = ? AND session = ?",
  )
  const put = prepared(
    database,
    "INSERT OR REPLACE INTO session_totals (principal, session, forget_at, total) VALUES (?, ?, ?, ?)",
  )
  const sweep = sweeping(database, "session_totals", "principal, session")
  return {
    get: (principal: string, session: string): SessionRow | undefined => {
      const row = get.get(keyText(principal), keyText(session))
      return row === undefined ? undefined : { principal, session, ...row }
    },
    put: ({ principal, session, forgetAt, total }: SessionRow): void => {
      put.run(keyText(principal), keyText(session), forgetAt, total)
    },
    sweep: (before: EpochMs): void => {
      sweep.run(before)
    },
  }
}

function sweeping(database: DatabaseSync, table: string, key: string): PreparedStatements<never> {
  return prepared(
    database,
    `DELETE FROM ${table} WHERE (${key}) IN (
       SELECT ${key} FROM ${table} WHERE forget_at <= ? ORDER BY forget_at LIMIT ${sweptPerRow})`,
  )
}
