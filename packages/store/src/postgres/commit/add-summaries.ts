import { type AgentRun, type Approval, runSummaryOf, summaryOf } from "@byleave/core"
import type { ClientBase } from "pg"
import { heldOf } from "../../run-facts.ts"
import { readDoc } from "../read-doc.ts"

const pageSize = 20

/** Adds summaries to approvals that were held before there were any. A few at a time: some may be large. */
export async function addSummaries(client: ClientBase, quotedSchema: string): Promise<void> {
  const table = `${quotedSchema}.approvals`
  await eachRow(client, table, async ({ id, doc }) => {
    const summary = summaryOf(readDoc<Approval>(doc))
    const values = [id, summary.bytes, JSON.stringify(summary)]
    await client.query(`UPDATE ${table} SET bytes = $2, summary = $3 WHERE id = $1`, values)
  })
}

/** The same for runs that were begun before. */
export async function addRunSummaries(client: ClientBase, quotedSchema: string): Promise<void> {
  const table = `${quotedSchema}.runs`
  await eachRow(client, table, async ({ id, doc }) => {
    const run = readDoc<AgentRun>(doc)
    const { calls, bytes } = heldOf(run)
    const values = [id, run.bytes, calls, bytes, JSON.stringify(runSummaryOf(run))]
    const columns = "(bytes, held_calls, held_bytes, summary) = ($2, $3, $4, $5)"
    await client.query(`UPDATE ${table} SET ${columns} WHERE id = $1`, values)
  })
}

type Row = { readonly id: string; readonly doc: string }

async function eachRow(client: ClientBase, table: string, work: (row: Row) => Promise<void>): Promise<void> {
  let after = ""
  for (;;) {
    const sql = `SELECT id, doc FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${pageSize}`
    const page = await client.query<Row>(sql, [after])
    for (const row of page.rows) await work(row)
    after = page.rows.at(-1)?.id ?? ""
    if (page.rows.length < pageSize) return
  }
}
