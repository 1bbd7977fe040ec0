import type { DatabaseSync } from "node:sqlite"
import { type AgentRun, type Approval, type Grant, runSummaryOf, summaryOf } from "@byleave/core"
import { grantSessionKey } from "../../grant-session.ts"
import { heldOf } from "../../run-facts.ts"
import { storedJson } from "./stored-json.ts"

/** Adds summaries to approvals that were held before there were any. One at a time: some may be large. */
export function addSummaries(database: DatabaseSync): void {
  const next = database.prepare("SELECT n, doc FROM approvals WHERE n > ? ORDER BY n LIMIT 1")
  const putBytes = database.prepare("UPDATE approvals SET bytes = ? WHERE n = ?")
  const put = database.prepare("INSERT OR REPLACE INTO summaries (n, doc) VALUES (?, ?)")
  for (let row = next.get(-1); row !== undefined; row = next.get(Number(row.n))) {
    const summary = summaryOf(storedJson<Approval>(String(row.doc)))
    putBytes.run(summary.bytes, Number(row.n))
    put.run(Number(row.n), JSON.stringify(summary))
  }
}

/** The same for runs that were begun before. */
export function addRunSummaries(database: DatabaseSync): void {
  const next = database.prepare("SELECT n, doc FROM runs WHERE n > ? ORDER BY n LIMIT 1")
  const putCounts = database.prepare("UPDATE runs SET (bytes, held_calls, held_bytes) = (?, ?, ?) WHERE n = ?")
  const put = database.prepare("INSERT OR REPLACE INTO run_summaries (n, doc) VALUES (?, ?)")
  for (let row = next.get(-1); row !== undefined; row = next.get(Number(row.n))) {
    const run = storedJson<AgentRun>(String(row.doc))
    const { calls, bytes } = heldOf(run)
    putCounts.run(run.bytes, calls, bytes, Number(row.n))
    put.run(Number(row.n), JSON.stringify(runSummaryOf(run)))
  }
}

/** Notes with each grant that was given before the session that it is for. */
export function addGrantSessions(database: DatabaseSync): void {
  const put = database.prepare("UPDATE grants SET session_key = ? WHERE id = ?")
  for (const { id, doc } of database.prepare("SELECT id, doc FROM grants").all()) {
    put.run(grantSessionKey(storedJson<Grant>(String(doc))), String(id))
  }
}
