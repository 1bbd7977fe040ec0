import type { Approval, EpochMs, SessionRecord } from "@byleave/core"
import { hasPayload, settledAtOf, withoutPayload } from "../approval-facts.ts"
import type { Blind } from "../blinding.ts"
import { putApproval, removeRun } from "./commit-change.ts"
import { resultOf, type Table } from "./database.ts"
import { type ApprovalRow, documentIn, type RecordRow, type TextRow } from "./rows.ts"
import { walk } from "./walk.ts"

export type RemovedPayloads = { readonly approvals: number; readonly records: number }

/** Takes away what is older than `before`: arguments, results, payloads, events, expired documents, runs and sessions that ended. */
export async function removePayloads(
  table: Table,
  before: EpochMs,
  blind: Blind,
  lastEvent: number,
): Promise<RemovedPayloads> {
  const records = await removeRecordPayloads(table, before)
  const earlier = IDBKeyRange.upperBound(before, true)
  const rows = await resultOf<ApprovalRow[]>(table("approvals").index("bySettled").getAll(earlier))
  const settled = rows.map((row) => documentIn<Approval>(row)).filter(hasPayload)
  for (const approval of settled) putApproval(table, withoutPayload(approval, blind))
  await walk<{ readonly seq: number; readonly at: EpochMs }>(table("events"), null, "next", ({ seq, at }, cursor) => {
    if (at < before && seq !== lastEvent) cursor.delete()
    return true
  })
  for (const key of await resultOf(table("documents").index("byEnd").getAllKeys(earlier)))
    table("documents").delete(key)
  for (const key of await resultOf(table("runs").index("byEnd").getAllKeys(earlier))) removeRun(table, String(key))
  await walk<TextRow>(table("sessions"), null, "next", (row, cursor) => {
    const { endedAt } = documentIn<SessionRecord>(row)
    if (endedAt !== null && endedAt < before) cursor.delete()
    return true
  })
  return { approvals: settled.length, records }
}

async function removeRecordPayloads(table: Table, before: EpochMs): Promise<number> {
  const old: RecordRow[] = []
  await walk<RecordRow>(table("records").index("byTime"), IDBKeyRange.upperBound([before], true), "next", (row) => {
    if (row.payload !== null) old.push(row)
    return true
  })
  let removed = 0
  for (const row of old) {
    if (await isOpen(table, row.subject)) continue
    table("records").put({ ...row, payload: null, payloadBytes: null })
    removed += 1
  }
  return removed
}

async function isOpen(table: Table, subject: string | null): Promise<boolean> {
  if (subject === null) return false
  const row = await resultOf<ApprovalRow | undefined>(table("approvals").get(subject))
  return row !== undefined && settledAtOf(documentIn<Approval>(row)) === null
}
