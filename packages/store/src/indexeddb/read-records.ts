import type { AuditQuery, AuditRecord, RecordWithPayload } from "@byleave/core"
import { resultOf, type Table } from "./database.ts"
import type { RecordRow } from "./rows.ts"
import { walk } from "./walk.ts"

export async function newestRecords(table: Table, query: AuditQuery): Promise<readonly RecordWithPayload[]> {
  const { subject, subjects, types, after, limit } = query
  const wanted = subject !== undefined ? [subject] : subjects
  const isOfType = (row: RecordRow): boolean => types === undefined || types.includes(row.type)
  const isAfter = (row: RecordRow): boolean => after === undefined || newestFirst(after, row) < 0
  const found: RecordRow[] = []
  if (wanted === undefined) {
    await walk<RecordRow>(table("records").index("byTime"), null, "prev", (row) => {
      if (isOfType(row) && isAfter(row)) found.push(row)
      return found.length < limit
    })
  } else {
    const bySubject = table("records").index("bySubject")
    for (const each of new Set(wanted)) {
      const rows = await resultOf<RecordRow[]>(bySubject.getAll(IDBKeyRange.bound([each], [each, []])))
      found.push(...rows.filter((row) => isOfType(row) && isAfter(row)))
    }
  }
  return found
    .sort(newestFirst)
    .slice(0, limit)
    .map((row) => withPayload(row, query.payloads))
}

function withPayload(row: RecordRow, wanted: AuditQuery["payloads"]): RecordWithPayload {
  const isLeftOut = wanted === false || (wanted !== undefined && (row.payloadBytes ?? 0) > wanted.upTo)
  return isLeftOut ? { ...row, payload: null } : row
}

type Position = Pick<AuditRecord, "at" | "writer" | "seq">

function newestFirst(a: Position, b: Position): number {
  return b.at - a.at || (a.writer === b.writer ? b.seq - a.seq : a.writer < b.writer ? 1 : -1)
}

export async function chainPage(
  table: Table,
  after: readonly [writer: string, seq: number] | null,
  limit: number,
): Promise<readonly AuditRecord[]> {
  const range = after === null ? null : IDBKeyRange.lowerBound([...after], true)
  const rows = await resultOf<RecordRow[]>(table("records").getAll(range, limit))
  return rows.map(({ payload: _, payloadBytes: __, ...record }) => record)
}

type Step = Pick<AuditRecord, "subject" | "step" | "type">

/** Steps after a key of the index, and the key of the last. */
export type StepsRead = { readonly steps: readonly Step[]; readonly last: IDBValidKey | null }

export async function stepPage(table: Table, after: IDBValidKey | null, limit: number): Promise<StepsRead> {
  const steps: Step[] = []
  let last = after
  const range = after === null ? null : IDBKeyRange.lowerBound(after, true)
  await walk<RecordRow>(table("records").index("bySubject"), range, "next", ({ subject, step, type }, cursor) => {
    steps.push({ subject, step, type })
    last = cursor.key
    return steps.length < limit
  })
  return { steps, last }
}
