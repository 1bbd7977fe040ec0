import { randomBytes } from "node:crypto"
import { type Approval, type EpochMs, type Hasher, removalDraft } from "@byleave/core"
import { withoutPayload } from "../approval-facts.ts"
import { createBlind } from "../blinding.ts"
import type { RecordedWork } from "./commit/chain-writer.ts"
import type { Statements } from "./commit/statements.ts"
import { approvalColumns, run } from "./commit/write-batch.ts"
import type { Connections, Statement } from "./connections.ts"
import { readDoc } from "./read-doc.ts"

/** Few enough that commits waiting behind a chunk hardly notice. */
const chunkSize = 500

/** Removes what nothing is recorded of: events, which are news, not truth; documents that have expired; runs that have ended, with their journals; and sessions that have. */
export async function removeUnrecorded(before: EpochMs, read: Connections["read"], sql: Statements): Promise<void> {
  await removeAll(sql.removeEvents, before, 5_000, read)
  await removeAll(sql.removeExpired, before, 5_000, read)
  await removeAll(sql.removeEndedRuns, before, 50, read)
  await removeAll(sql.removeEndedSessions, before, 5_000, read)
}

async function removeAll(
  statement: Statement,
  before: EpochMs,
  atOnce: number,
  read: Connections["read"],
): Promise<void> {
  for (;;) {
    const [removed] = await read<{ count: number }>(statement, [before, atOnce])
    if ((removed?.count ?? 0) < atOnce) return
  }
}

/** Removes a chunk of old data, recorded in the transaction that does it; returns how much that was. */
export function removeChunk(before: EpochMs, at: EpochMs, hasher: Hasher, sql: Statements): RecordedWork<number> {
  return async (client) => {
    const found = await run<{ doc: string }>(client, sql.removableApprovals, [before, chunkSize])
    const blind = createBlind(randomBytes(32).toString("hex"), hasher)
    const bare = found.rows.map(({ doc }) => withoutPayload(readDoc<Approval>(doc), blind))
    if (bare.length > 0) await run(client, sql.putBareApprovals, approvalColumns(bare, hasher))
    const payloads = await run(client, sql.removeRecordPayloads, [before, chunkSize])
    const removed = { approvals: bare.length, records: payloads.rowCount ?? 0 }
    const result = removed.approvals + removed.records
    return { drafts: result === 0 ? [] : [removalDraft({ before, ...removed }, at)], result }
  }
}
