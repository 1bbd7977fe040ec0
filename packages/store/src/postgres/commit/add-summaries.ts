import {
  type AgentRun,
  type Approval,
  bearsOnDecisions,
  type Grant,
  type Hasher,
  runSummaryOf,
  type SessionRecord,
  summaryOf,
} from "@byleave/core"
import type { ClientBase } from "pg"
import { grantSessionKey } from "../../grant-session.ts"
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

/** Notes which of the sessions known before decisions can rest on, and when the others ended. */
export async function addSessionFacts(client: ClientBase, quotedSchema: string): Promise<void> {
  const table = `${quotedSchema}.sessions`
  await eachRow(
    client,
    table,
    async ({ id, doc }) => {
      const record = readDoc<SessionRecord>(doc)
      const values = [id, bearsOnDecisions(record), record.endedAt]
      await client.query(`UPDATE ${table} SET deciding = $2, ended_at = $3 WHERE key = $1`, values)
    },
    "key",
  )
}

/** Notes with each grant that was given before the session that it is for. */
export async function addGrantSessions(client: ClientBase, quotedSchema: string, hasher: Hasher): Promise<void> {
  const table = `${quotedSchema}.grants`
  await eachRow(client, table, async ({ id, doc }) => {
    const key = grantSessionKey(readDoc<Grant>(doc))
    if (key === null) return
    await client.query(`UPDATE ${table} SET session_key = $2 WHERE id = $1`, [id, hasher.sha256(key)])
  })
}

type Row = { readonly id: string; readonly doc: string }

async function eachRow(
  client: ClientBase,
  table: string,
  work: (row: Row) => Promise<void>,
  key = "id",
): Promise<void> {
  let after = ""
  for (;;) {
    const sql = `SELECT ${key} AS id, doc FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${pageSize}`
    const page = await client.query<Row>(sql, [after])
    for (const row of page.rows) await work(row)
    after = page.rows.at(-1)?.id ?? ""
    if (page.rows.length < pageSize) return
  }
}
