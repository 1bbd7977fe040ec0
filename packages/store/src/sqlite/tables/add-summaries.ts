import type { DatabaseSync } from "node:sqlite"
import { type Approval, summaryOf } from "@byleave/core"
import { storedJson } from "./stored-json.ts"

/** Gives a summary to what was held before there were any. One at a time: some may be large. */
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
