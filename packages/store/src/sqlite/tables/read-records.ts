import type { DatabaseSync } from "node:sqlite"
import type { AuditQuery, AuditRecord, AuditType, RecordWithPayload } from "@byleave/core"
import { keyText, nameOf } from "../../key-text.ts"
import { recordOf } from "./chain-table.ts"
import { prepared, preparedTuples } from "./prepared.ts"

export type LifeCycleStep = Pick<AuditRecord, "subject" | "step" | "type">
type StepTuple = readonly [subject: string, step: number, type: AuditType, position: number]
/** Some steps, and where the next ones begin. */
export type StepPage = { readonly steps: readonly LifeCycleStep[]; readonly last: StepTuple | undefined }

export type RecordReader = {
  readonly newest: (query: AuditQuery) => readonly RecordWithPayload[]
  /** Steps after a place, by subject and step. */
  readonly steps: (after: StepTuple | undefined, limit: number) => StepPage
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
  readonly payloadBytes: number | null
}

/** Types of which there are many; every other type has an index of its own. */
const manyTypes = ["call.allowed", "run.started", "run.succeeded"]
const isSeldom = manyTypes.map((type) => `a.type <> '${type}'`).join(" AND ")

const columns = "a.position, a.at, a.step, a.type, a.subject, a.hash, a.text, octet_length(a.payload) AS payloadBytes"

/** A payload that is left out is not read at all: its length is known without. */
function payloadColumn(payloads: AuditQuery["payloads"]): string {
  if (payloads === undefined) return "a.payload"
  if (payloads === false) return "NULL AS payload"
  return `CASE WHEN octet_length(a.payload) <= ${Math.floor(payloads.upTo)} THEN a.payload END AS payload`
}

export function createRecordReader(database: DatabaseSync): RecordReader {
  const stepColumns = "subject, step, type, position"
  const steps = preparedTuples<StepTuple>(
    database,
    `SELECT ${stepColumns} FROM audit WHERE subject IS NOT NULL ORDER BY ${stepColumns} LIMIT ?`,
  )
  const stepsAfter = preparedTuples<StepTuple>(
    database,
    `SELECT ${stepColumns} FROM audit WHERE subject IS NOT NULL AND (${stepColumns}) > (?, ?, ?, ?) ORDER BY ${stepColumns} LIMIT ?`,
  )
  const newestWhere = (query: AuditQuery, type: Condition): readonly Row[] => {
    const { where, values } = conditionsOf(query, type)
    const sql = `SELECT ${columns}, ${payloadColumn(query.payloads)}, c.writer
      FROM audit a CROSS JOIN chains c ON c.n = a.position >> 32
      WHERE ${where} ORDER BY a.at DESC, c.writer DESC, a.position DESC LIMIT ?`
    return prepared<Row>(database, sql).all(...values, query.limit)
  }
  return {
    newest: (query) => {
      const rows = typeConditions(query).flatMap((type) => newestWhere(query, type))
      const newest = rows.sort(newestFirst).slice(0, query.limit)
      return newest.map(recordWithPayload)
    },
    steps: (after, limit) => {
      const rows = after === undefined ? steps(limit) : stepsAfter(...after, limit)
      return {
        steps: rows.map(([subject, step, type]) => ({ subject: nameOf(subject), step, type })),
        last: rows.at(-1),
      }
    },
  }
}

type Condition = readonly [sql: string, values: ReadonlyArray<string | number>]

/** One walk per type where all of them are seldom, else one along time: never a sort of the whole table. */
function typeConditions({ types, subject, subjects }: AuditQuery): readonly Condition[] {
  if (types === undefined) return [["true", []]]
  if (types.length === 0) return []
  const isQuick = subject === undefined && subjects === undefined && !types.some((type) => manyTypes.includes(type))
  if (isQuick) return [...new Set(types)].map((type) => [`a.type = ? AND ${isSeldom}`, [type]])
  return [[`a.type IN (${types.map(() => "?").join(", ")})`, types]]
}

function conditionsOf(
  { subject, subjects, after }: AuditQuery,
  type: Condition,
): { readonly where: string; readonly values: ReadonlyArray<string | number> } {
  const conditions: Condition[] = [type]
  if (subject !== undefined) conditions.push(["a.subject = ?", [keyText(subject)]])
  if (subjects !== undefined) {
    conditions.push(["a.subject IN (SELECT value FROM json_each(?))", [JSON.stringify(subjects.map(keyText))]])
  }
  if (after !== undefined) {
    // The first is implied by the second and lets the index on time begin there.
    conditions.push(["a.at <= ?", [after.at]])
    conditions.push([
      "(a.at, c.writer, a.position & 4294967295) < (?, ?, ?)",
      [after.at, keyText(after.writer), after.seq],
    ])
  }
  return {
    where: conditions.map(([condition]) => condition).join(" AND "),
    values: conditions.flatMap(([, values]) => values),
  }
}

function newestFirst(a: Row, b: Row): number {
  return b.at - a.at || (a.writer === b.writer ? b.position - a.position : a.writer < b.writer ? 1 : -1)
}

function recordWithPayload(row: Row): RecordWithPayload {
  const { writer, position, type, subject, step, at, text, hash, payload, payloadBytes } = row
  return { ...recordOf(nameOf(writer), position, type, subject, step, at, text, hash), payload, payloadBytes }
}
