import type { DatabaseSync } from "node:sqlite"
import {
  type Approval,
  type ApprovalQuery,
  type ApprovalStatus,
  type ApprovalSummary,
  type CallKey,
  type EpochMs,
  openStatuses,
  type Store,
} from "@byleave/core"
import { newestFirst } from "../../in-order.ts"
import { keyText } from "../../key-text.ts"
import { prepared, preparedOnDemand } from "./prepared.ts"
import { storedJson } from "./stored-json.ts"

export type ApprovalReader = {
  readonly byId: (id: string) => Approval | undefined
  readonly newest: (query: ApprovalQuery) => readonly ApprovalSummary[]
  readonly count: (query: Filter) => number
  readonly openSessions: (limit: number) => Awaited<ReturnType<Store["openSessions"]>>
  readonly identical: (key: CallKey, settledSince: EpochMs) => readonly ApprovalSummary[]
  readonly due: (now: EpochMs, limit: number) => readonly ApprovalSummary[]
}

type Filter = Omit<ApprovalQuery, "limit" | "after">
type DocRow = { readonly doc: string }
type PlacedRow = DocRow & { readonly createdAt: EpochMs; readonly id: string }

const everyStatus: Record<ApprovalStatus, true> = {
  pending: true,
  approved: true,
  running: true,
  succeeded: true,
  failed: true,
  unknown: true,
  denied: true,
  expired: true,
  cancelled: true,
  superseded: true,
}
const allStatuses = Object.keys(everyStatus) as readonly ApprovalStatus[]

export function createApprovalReader(database: DatabaseSync): ApprovalReader {
  const byId = prepared<DocRow>(database, "SELECT doc FROM approvals WHERE id = ?")
  const identical = prepared<DocRow>(
    database,
    `SELECT s.doc FROM approvals a JOIN summaries s ON s.n = a.n
     WHERE attachable = 1 AND call_digest = ? AND principal = ? AND session = ? AND server = ? AND tool = ?
       AND (settled_at IS NULL OR settled_at >= ?)
     ORDER BY created_at, id`,
  )
  const due = prepared<DocRow>(
    database,
    "SELECT s.doc FROM approvals a JOIN summaries s ON s.n = a.n WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?",
  )
  // Beside the one `max`, SQLite takes the other columns from the row that has it.
  const openSessions = prepared<DocRow & { readonly waiting: number }>(
    database,
    `SELECT (SELECT doc FROM summaries WHERE summaries.n = approvals.n) AS doc,
       sum(status = 'pending') AS waiting, max(created_at) AS newest FROM approvals
     WHERE status IN (${openStatuses.map((status) => `'${status}'`).join(", ")})
     GROUP BY principal, session ORDER BY newest DESC, principal, session LIMIT ?`,
  )
  const statementFor = preparedOnDemand<PlacedRow & { readonly count: number }>(database)
  const newestOf = (status: ApprovalStatus, query: ApprovalQuery): readonly PlacedRow[] => {
    const { where, values } = conditionsOf(status, query)
    // SQLite would rather walk all sessions in the wanted order than sort the few rows of one.
    const isOfSession = query.principal !== undefined && query.session !== undefined
    const table = isOfSession ? "approvals a INDEXED BY approvals_session" : "approvals a"
    const sql = `SELECT s.doc, created_at AS createdAt, id FROM ${table} JOIN summaries s ON s.n = a.n WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ?`
    return statementFor(sql).all(...values, query.limit)
  }
  const countOf = (status: ApprovalStatus, query: Filter): number => {
    const { where, values } = conditionsOf(status, query)
    return statementFor(`SELECT count(*) AS count FROM approvals WHERE ${where}`).get(...values)?.count ?? 0
  }
  return {
    byId: (id) => {
      const row = byId.get(keyText(id))
      return row === undefined ? undefined : approvalOf(row)
    },
    newest: (query) => {
      // One walk along the index per status, then the newest of all: never a sort of the whole table.
      const rows = statusesOf(query).flatMap((status) => newestOf(status, query))
      return rows.sort(newestFirst).slice(0, query.limit).map(summaryIn)
    },
    count: (query) => statusesOf(query).reduce((sum, status) => sum + countOf(status, query), 0),
    openSessions: (limit) =>
      openSessions.all(limit).map((row) => ({ session: summaryIn(row).session, waiting: row.waiting })),
    identical: ({ callDigest, principal, session, server, tool }, settledSince) => {
      const names = [callDigest, principal, session, server, tool].map(keyText)
      return identical.all(...names, settledSince).map(summaryIn)
    },
    due: (now, limit) => due.all(now, limit).map(summaryIn),
  }
}

function statusesOf({ statuses, settledSince }: Filter): readonly ApprovalStatus[] {
  const asked = statuses === undefined ? allStatuses : [...new Set(statuses)]
  const isOpen = (status: ApprovalStatus): boolean => openStatuses.some((open) => open === status)
  return settledSince === undefined ? asked : asked.filter((status) => !isOpen(status))
}

function conditionsOf(
  status: ApprovalStatus,
  query: Omit<ApprovalQuery, "limit">,
): { readonly where: string; readonly values: ReadonlyArray<string | number> } {
  const { principal, session, server, tool, createdSince, settledSince, after } = query
  const conditions: ReadonlyArray<readonly [string, ReadonlyArray<string | number | undefined>]> = [
    ["status = ?", [status]],
    ["principal = ?", [principal]],
    ["session = ?", [session]],
    ["server = ?", [server]],
    ["tool = ?", [tool]],
    ["created_at >= ?", [createdSince]],
    ["settled_at >= ?", [settledSince]],
    ["(created_at, id) < (?, ?)", [after?.createdAt, after?.id]],
  ]
  const wanted = conditions.filter(([, values]) => values[0] !== undefined)
  return {
    where: wanted.map(([condition]) => condition).join(" AND "),
    values: wanted.flatMap(([, values]) => values.filter((value) => value !== undefined).map(stored)),
  }
}

function stored(value: string | number): string | number {
  return typeof value === "string" ? keyText(value) : value
}

function summaryIn(row: DocRow): ApprovalSummary {
  return storedJson<ApprovalSummary>(row.doc)
}

function approvalOf(row: DocRow): Approval {
  return storedJson<Approval>(row.doc)
}
