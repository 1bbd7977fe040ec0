import type { DatabaseSync } from "node:sqlite"
import { type AgentRun, type Change, type EpochMs, type JournalLine, runSummaryOf } from "@byleave/core"
import { keyText, nameOf } from "../../key-text.ts"
import { runColumns, type StoredRun } from "../../run-facts.ts"
import { prepared } from "./prepared.ts"

/** Runs and their journals as they are written. To be called within a transaction. */
export type RunTable = {
  readonly stored: (run: string) => StoredRun | undefined
  readonly hasLine: (line: JournalLine) => boolean
  readonly write: (change: Change) => void
  /** Removes some of those that ended before then, with their journals; gives how many. */
  readonly removeEnded: (before: EpochMs, limit: number) => number
}

const columns =
  "version, status, principal, starter_kind, starter_id, owner, lease_until, created_at, updated_at, ended_at, doc, bytes, held_calls, held_bytes"

export function createRunTable(database: DatabaseSync): RunTable {
  const stored = prepared<{ version: number; owner: string | null }>(
    database,
    "SELECT version, owner FROM runs WHERE id = ?",
  )
  const values = columns.replaceAll(/\w+/g, "?")
  const insert = prepared(database, `INSERT INTO runs (${columns}, id) VALUES (${values}, ?)`)
  const update = prepared(database, `UPDATE runs SET (${columns}) = (${values}) WHERE id = ?`)
  const remove = prepared(database, "DELETE FROM runs WHERE id = ?")
  const putSummary = prepared(
    database,
    "INSERT OR REPLACE INTO run_summaries (n, doc) VALUES ((SELECT n FROM runs WHERE id = ?), ?)",
  )
  const removeSummary = prepared(database, "DELETE FROM run_summaries WHERE n = (SELECT n FROM runs WHERE id = ?)")
  const ofRun = "run = (SELECT n FROM runs WHERE id = ?)"
  const removeLines = prepared(database, `DELETE FROM journal WHERE ${ofRun}`)
  const hasNumber = prepared(database, `SELECT 1 FROM journal WHERE ${ofRun} AND seq = ?`)
  const hasName = prepared(database, `SELECT 1 FROM journal WHERE ${ofRun} AND name = ?`)
  const insertLine = prepared(
    database,
    "INSERT INTO journal (run, seq, name, at, text) SELECT n, ?, ?, ?, ? FROM runs WHERE id = ?",
  )
  const ended = prepared<{ id: string }>(
    database,
    "SELECT id FROM runs WHERE ended_at IS NOT NULL AND ended_at < ? ORDER BY ended_at LIMIT ?",
  )
  const removeRun = (id: string): void => {
    removeLines.run(id)
    removeSummary.run(id)
    remove.run(id)
  }
  const writeRun = (run: AgentRun, isNew: boolean): void => {
    const id = keyText(run.id)
    const statement = isNew ? insert : update
    statement.run(...runColumns(run), id)
    putSummary.run(id, JSON.stringify(runSummaryOf(run)))
  }
  return {
    stored: (run) => {
      const row = stored.get(keyText(run))
      return row === undefined
        ? undefined
        : { version: row.version, owner: row.owner === null ? null : nameOf(row.owner) }
    },
    hasLine: ({ run, seq, name }) =>
      hasNumber.get(keyText(run), seq) !== undefined || hasName.get(keyText(run), keyText(name)) !== undefined,
    write: ({ runs = [], journal }) => {
      for (const write of runs) {
        if ("remove" in write) removeRun(keyText(write.remove))
        else writeRun(write.next, write.replaces === null)
      }
      for (const { run, seq, name, at, text } of journal?.lines ?? []) {
        insertLine.run(seq, keyText(name), at, text, keyText(run))
      }
    },
    removeEnded: (before, limit) => {
      const found = ended.all(before, limit)
      for (const { id } of found) removeRun(id)
      return found.length
    },
  }
}
