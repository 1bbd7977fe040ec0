import type { DatabaseSync } from "node:sqlite"
import type { AuditQuery, AuditRecord, AuditType } from "@byleave/core"
import { recordOf } from "./chain-table.ts"
import { prepared } from "./prepared.ts"

export type RecordWithPayload = AuditRecord & { readonly payload: string | null }
export type LifeCycleStep = Pick<AuditRecord, "subject" | "step" | "type">
export type PlacedStep = LifeCycleStep & { readonly position: number }

export type RecordReader = {
  readonly newest: (query: AuditQuery) => readonly RecordWithPayload[]
  /** Steps after a place, by subject and step. */
  readonly steps: (after: PlacedStep | undefined, limit: number) => readonly PlacedStep[]
}

type Row = {
  readonly position: number
  readonly at: number
  readonly step: number
  readonly type: AuditType
  readonly subject: string | null
  readonly hash: string
  readonly text: string
  readonly writer: string
  readonly payload: string | null
}

export function createRecordReader(database: DatabaseSync): RecordReader {
  const stepColumns = "subject, step, type, position"
  const steps = prepared<PlacedStep>(
    database,
    `SELECT ${stepColumns} FROM audit WHERE subject IS NOT NULL ORDER BY ${stepColumns} LIMIT ?`,
  )
  const stepsAfter = prepared<PlacedStep>(
    database,
    `SELECT ${stepColumns} FROM audit WHERE subject IS NOT NULL AND (${stepColumns}) > (?, ?, ?, ?) ORDER BY ${stepColumns} LIMIT ?`,
  )
  return {
    newest: (query) => {
      if (query.types?.length === 0) return []
      const { where, values } = conditionsOf(query)
      const sql = `SELECT a.*, c.writer, p.text AS payload
        FROM audit a JOIN chains c ON c.n = a.position >> 32 LEFT JOIN payloads p ON p.position = a.position
        WHERE ${where} ORDER BY a.at DESC, c.writer DESC, a.position DESC LIMIT ?`
      const rows = prepared<Row>(database, sql).all(...values, query.limit)
      return rows.map((row) => ({ ...recordOf(row, row.writer), payload: row.payload }))
    },
    steps: (after, limit) =>
      after === undefined
        ? steps.all(limit)
        : stepsAfter.all(after.subject, after.step, after.type, after.position, limit),
  }
}

function conditionsOf({ types, subject, after }: AuditQuery): {
  readonly where: string
  readonly values: ReadonlyArray<string | number>
} {
  const conditions: Array<readonly [string, ReadonlyArray<string | number>]> = [["true", []]]
  if (types !== undefined) conditions.push([`a.type IN (${types.map(() => "?").join(", ")})`, types])
  if (subject !== undefined) conditions.push(["a.subject = ?", [subject]])
  if (after !== undefined) {
    // The first is implied by the second and lets the index on time begin there.
    conditions.push(["a.at <= ?", [after.at]])
    conditions.push(["(a.at, c.writer, a.position & 4294967295) < (?, ?, ?)", [after.at, after.writer, after.seq]])
  }
  return {
    where: conditions.map(([condition]) => condition).join(" AND "),
    values: conditions.flatMap(([, values]) => values),
  }
}
