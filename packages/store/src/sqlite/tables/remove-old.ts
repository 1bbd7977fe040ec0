/**
 * Takes away what is older than it may get.
 *
 * I1. Only what settled before that time loses its arguments and results; of what is open, also its records keep theirs.
 * I2. Nothing is left by which what was removed could be guessed.
 * I3. Who read an approval before cannot write it back.
 * I4. The newest event stays.
 * I5. A run goes with its journal, in one transaction, and only once it has ended.
 * I6. Of sessions only the records of those that ended go: they decide nothing.
 */
import { randomBytes } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"
import type { Approval, EpochMs, Hasher } from "@byleave/core"
import { withoutPayload } from "../../approval-facts.ts"
import { createBlind } from "../../blinding.ts"
import type { ChangeTable } from "./change-table.ts"
import type { DocumentTable } from "./document-table.ts"
import { prepared } from "./prepared.ts"
import type { RunTable } from "./run-table.ts"
import { storedJson } from "./stored-json.ts"

export type Removed = {
  readonly approvals: number
  readonly records: number
  /** False when there may be more. */
  readonly isAll: boolean
}

export type RemovalPorts = {
  readonly database: DatabaseSync
  readonly documents: DocumentTable
  readonly runs: RunTable
  readonly changes: ChangeTable
  readonly hasher: Hasher
}

/** So much at once, or the event loop would wait too long. */
const removalSize = { approvals: 200, records: 1_000, events: 5_000, documents: 5_000, runs: 10, sessions: 5_000 }

/** To be called within a transaction. */
export function createRemoval(ports: RemovalPorts): (before: EpochMs) => Removed {
  const { database, documents, runs, changes, hasher } = ports
  const settled = prepared<{ doc: string }>(
    database,
    `SELECT doc FROM approvals WHERE settled_at IS NOT NULL AND has_payload = 1 AND settled_at < ?
     ORDER BY settled_at LIMIT ${removalSize.approvals}`,
  )
  const removePayloads = prepared(
    database,
    `UPDATE audit SET payload = NULL WHERE position IN (
       SELECT r.position FROM audit r WHERE r.payload IS NOT NULL AND r.at < ?
         AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.id = r.subject AND a.settled_at IS NULL)
       ORDER BY r.at LIMIT ${removalSize.records})`,
  )
  // The newest stays: the next one's number follows from it.
  const removeEvents = prepared(
    database,
    `DELETE FROM events WHERE seq IN (
       SELECT seq FROM events WHERE at < ? AND seq < (SELECT max(seq) FROM events)
       ORDER BY at LIMIT ${removalSize.events})`,
  )
  const removeSessions = prepared(
    database,
    `DELETE FROM sessions WHERE (principal, id) IN (
       SELECT principal, id FROM sessions WHERE ended_at IS NOT NULL AND ended_at < ? LIMIT ${removalSize.sessions})`,
  )
  return (before) => {
    const blind = createBlind(randomBytes(32).toString("hex"), hasher)
    const rows = settled.all(before)
    for (const row of rows) changes.putBare(withoutPayload(storedJson<Approval>(row.doc), blind))
    const records = removePayloads.run(before)
    const events = removeEvents.run(before)
    const expired = documents.removeExpired(before, removalSize.documents)
    const ended = runs.removeEnded(before, removalSize.runs)
    const sessions = removeSessions.run(before)
    const isAllNews = events < removalSize.events && expired < removalSize.documents
    const isAllEnded = ended < removalSize.runs && sessions < removalSize.sessions
    const isAll = isAllNews && isAllEnded && rows.length < removalSize.approvals && records < removalSize.records
    return { approvals: rows.length, records, isAll }
  }
}
