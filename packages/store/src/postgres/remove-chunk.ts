import { randomBytes } from "node:crypto"
import { type Approval, type EpochMs, type Hasher, removalDraft } from "@byleave/core"
import { withoutPayload } from "../approval-facts.ts"
import { createBlind } from "../blinding.ts"
import type { RecordedWork } from "./commit/chain-writer.ts"
import type { Statements } from "./commit/statements.ts"
import { approvalColumns, run } from "./commit/write-batch.ts"
import type { Connections } from "./connections.ts"
import { readDoc } from "./read-doc.ts"

/** Few enough that commits waiting behind a chunk hardly notice. */
const chunkSize = 500
const eventChunkSize = 5_000

/** Removes events that are old; they are news, not truth, so nothing is recorded of it. */
export async function removeEvents(before: EpochMs, read: Connections["read"], sql: Statements): Promise<void> {
  for (;;) {
    const [removed] = await read<{ count: number }>(sql.removeEvents, [before, eventChunkSize])
    if ((removed?.count ?? 0) < eventChunkSize) return
  }
}

/** Removes documents that expired before then; whoever made them knew their end, so nothing is recorded of it. */
export async function removeExpired(before: EpochMs, read: Connections["read"], sql: Statements): Promise<void> {
  for (;;) {
    const [removed] = await read<{ count: number }>(sql.removeExpired, [before, eventChunkSize])
    if ((removed?.count ?? 0) < eventChunkSize) return
  }
}

/** Removes a chunk of what is old, recorded in the transaction that does it; gives how much that was. */
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
