import { type Approval, summaryOf } from "@byleave/core"
import type { ClientBase } from "pg"
import { readDoc } from "../read-doc.ts"

const pageSize = 20

/** Gives a summary to what was held before there were any. A few at a time: some may be large. */
export async function addSummaries(client: ClientBase, quotedSchema: string): Promise<void> {
  const table = `${quotedSchema}.approvals`
  let after = ""
  for (;;) {
    const page = await client.query<{ id: string; doc: string }>(
      `SELECT id, doc FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${pageSize}`,
      [after],
    )
    for (const { id, doc } of page.rows) {
      const summary = summaryOf(readDoc<Approval>(doc))
      const values = [id, summary.bytes, JSON.stringify(summary)]
      await client.query(`UPDATE ${table} SET bytes = $2, summary = $3 WHERE id = $1`, values)
    }
    after = page.rows.at(-1)?.id ?? ""
    if (page.rows.length < pageSize) return
  }
}
