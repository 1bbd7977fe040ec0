import type {
  AuditQuery,
  AuditRecord,
  AuditType,
  EpochMs,
  RecordWithPayload,
  SignedHead,
  SignedRoster,
} from "@byleave/core"
import { keyText, nameOf } from "../key-text.ts"
import type { Statements } from "./commit/statements.ts"
import type { Connections, Statement } from "./connections.ts"
import { readDoc } from "./read-doc.ts"

type RecordRow = {
  writer: string
  seq: number
  type: AuditType
  subject: string | null
  step: number
  at: EpochMs
  text: string
  hash: string
}
type HeadRow = { writer: string; seq: number; hash: string; at: EpochMs; key_id: string; signature: string }
type LifeRow = Pick<RecordRow, "step" | "type" | "writer" | "seq"> & { subject: string }

const pageSize = 1_000

/** Reads of the audit trail. */
export function createAuditReader(read: Connections["read"], sql: Statements, quotedSchema: string) {
  return {
    records: async (query: AuditQuery): Promise<readonly RecordWithPayload[]> => {
      const { statement, values } = listRecords(query, quotedSchema)
      const rows = await read<RecordRow & { payload: string | null; payload_bytes: number | null }>(statement, values)
      return rows.map((row) => ({ ...recordOf(row), payload: row.payload, payloadBytes: row.payload_bytes }))
    },
    chains: async function* (): AsyncGenerator<readonly AuditRecord[]> {
      let after: readonly [string, number] = ["", 0]
      for (;;) {
        const rows = await read<RecordRow>(sql.chains, [...after, pageSize])
        const last = rows.at(-1)
        if (last === undefined) return
        after = [last.writer, last.seq]
        yield rows.map(recordOf)
      }
    },
    lifeCycles: async function* (): AsyncGenerator<ReadonlyArray<Pick<AuditRecord, "subject" | "step" | "type">>> {
      let after: readonly unknown[] = ["", Number.MIN_SAFE_INTEGER, "", 0]
      for (;;) {
        const rows = await read<LifeRow>(sql.lifeCycles, [...after, pageSize])
        const last = rows.at(-1)
        if (last === undefined) return
        after = [last.subject, last.step, last.writer, last.seq]
        yield rows.map(({ subject, step, type }) => ({ subject: nameOf(subject), step, type }))
      }
    },
    heads: async (): Promise<readonly SignedHead[]> => {
      const rows = await read<HeadRow>(sql.heads)
      return rows.map(({ writer, key_id, ...head }) => ({ ...head, writer: nameOf(writer), keyId: key_id }))
    },
    roster: async (): Promise<SignedRoster | undefined> => {
      const [row] = await read<{ doc: string }>(sql.roster)
      return row === undefined ? undefined : readDoc<SignedRoster>(row.doc)
    },
  }
}

function recordOf(row: RecordRow): AuditRecord {
  const { seq, type, step, at, text, hash } = row
  const subject = row.subject === null ? null : nameOf(row.subject)
  return { writer: nameOf(row.writer), seq, type, subject, step, at, text, hash }
}

function listRecords(query: AuditQuery, quotedSchema: string): { statement: Statement; values: readonly unknown[] } {
  const values: unknown[] = [query.limit]
  const place = (value: unknown): string => `$${values.push(value)}`
  const { types, subject, subjects, after } = query
  const byType = types !== undefined && subject === undefined && subjects === undefined
  const clauses: string[] = []
  if (types !== undefined && !byType) clauses.push(`type = ANY (${place(types)})`)
  if (subject !== undefined) clauses.push(`subject = ${place(keyText(subject))}`)
  if (after !== undefined) {
    const from = [`${place(after.at)}::float8`, place(keyText(after.writer)), `${place(after.seq)}::bigint`]
    clauses.push(`(at, writer, seq) < (${from.join(", ")})`)
  }
  const payload = payloadColumn(query.payloads, place)
  const all = `SELECT writer, seq, type, subject, step, at, text, hash, octet_length(payload) AS payload_bytes, ${payload} FROM ${quotedSchema}.records`
  const asked = [
    ...[types && "types", subject !== undefined && "subject", subjects && "subjects"],
    ...[after && "after", query.payloads === false && "bare", typeof query.payloads === "object" && "short"],
  ]
  const name = `records ${asked.filter(Boolean).join(" ")}`
  if (byType) return { statement: { name, text: newestByType(all, place([...new Set(types)]), clauses) }, values }
  const from = subjects === undefined ? all : ofSubjects(all, place(subjects.map(keyText)))
  return { statement: { name, text: `${from} ${where(clauses)} ${newestFirst}` }, values }
}

function payloadColumn(payloads: AuditQuery["payloads"], place: (value: unknown) => string): string {
  if (payloads === undefined) return "payload"
  if (payloads === false) return "NULL AS payload"
  return `CASE WHEN octet_length(payload) <= ${place(payloads.upTo)} THEN payload END AS payload`
}

/** One walk per type, each along its index: however seldom a type is, no more is read than could be given back. */
function newestByType(all: string, types: string, clauses: readonly string[]): string {
  const each = `${all} ${where(["type = wanted.type", ...clauses])} ${newestFirst}`
  return `SELECT each.* FROM unnest(${types}::text[]) AS wanted (type) CROSS JOIN LATERAL (${each}) AS each ${newestFirst}`
}

/**
 * The few records that each subject has, before anything else is asked of them: sought along time or by type, they would be found among
 * millions. Saying that there is a subject lets its index be used.
 */
function ofSubjects(all: string, subjects: string): string {
  const each = `${all} WHERE subject = wanted.name AND subject IS NOT NULL OFFSET 0`
  return `SELECT each.* FROM unnest(${subjects}::text[]) AS wanted (name) CROSS JOIN LATERAL (${each}) AS each`
}

function where(clauses: readonly string[]): string {
  return clauses.length === 0 ? "" : `WHERE ${clauses.join(" AND ")}`
}

const newestFirst = "ORDER BY at DESC, writer DESC, seq DESC LIMIT $1"
