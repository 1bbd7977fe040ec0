import type { DatabaseSync } from "node:sqlite"
import {
  type AgentRun,
  type AgentRunStatus,
  type EpochMs,
  type JournalLine,
  type OpenRunTotals,
  type RunPrincipal,
  type RunQuery,
  type RunStarter,
  type RunSummary,
  runPrincipals,
  type Store,
} from "@byleave/core"
import { newestFirst } from "../../in-order.ts"
import { keyText, nameOf } from "../../key-text.ts"
import { prepared, preparedOnDemand } from "./prepared.ts"
import { storedJson } from "./stored-json.ts"

export type RunReader = {
  readonly byId: (id: string) => AgentRun | undefined
  readonly summaryOf: (id: string) => RunSummary | undefined
  readonly newest: (query: RunQuery) => readonly RunSummary[]
  readonly count: (query: Filter) => number
  readonly open: (startedBy: RunStarter) => OpenRunTotals
  readonly toTakeUp: (query: Parameters<Store["runsToTakeUp"]>[0]) => readonly AgentRun[]
  readonly journal: (...query: Parameters<Store["journal"]>) => readonly JournalLine[]
  readonly lastLine: (run: string) => number
}

type Filter = Omit<RunQuery, "limit" | "after">
type DocRow = { readonly doc: string }
type PlacedRow = DocRow & { readonly createdAt: EpochMs; readonly id: string }
type UnchangedRow = DocRow & { readonly updatedAt: EpochMs; readonly id: string }
type JournalRow = Omit<JournalLine, "run">

const everyStatus: Record<AgentRunStatus, true> = {
  running: true,
  paused: true,
  finished: true,
  failed: true,
  cancelled: true,
}
const allStatuses = Object.keys(everyStatus) as readonly AgentRunStatus[]

// Both are judged by what is in indexes: only the documents of those that are found are read.
const answered = `SELECT doc, updated_at AS updatedAt, id FROM runs r INDEXED BY runs_open
  WHERE ended_at IS NULL AND status = 'paused' AND NOT EXISTS (
    SELECT 1 FROM approvals a INDEXED BY approvals_waiting
    WHERE a.status = 'pending' AND a.principal = r.principal AND a.session = r.id)
  ORDER BY updated_at, id LIMIT ?`
const left = `SELECT doc, updated_at AS updatedAt, id FROM runs INDEXED BY runs_open
  WHERE ended_at IS NULL AND status = 'running'
    AND (lease_until <= ? OR owner NOT IN (SELECT value FROM json_each(?)))
  ORDER BY updated_at, id LIMIT ?`

// SQLite knows how long a text is without reading it.
const page = `SELECT seq, name, at, text FROM journal WHERE run = ? AND seq > ? AND seq <= (
    SELECT max(seq) FROM (
      SELECT seq, row_number() OVER byNumber AS place, sum(octet_length(text)) OVER byNumber AS bytes
      FROM journal WHERE run = ? AND seq > ? WINDOW byNumber AS (ORDER BY seq ROWS UNBOUNDED PRECEDING))
    WHERE place = 1 OR bytes <= ?)
  ORDER BY seq`

export function createRunReader(database: DatabaseSync): RunReader {
  const byId = prepared<DocRow>(database, "SELECT doc FROM runs WHERE id = ?")
  const summary = prepared<DocRow>(
    database,
    "SELECT s.doc FROM runs r JOIN run_summaries s ON s.n = r.n WHERE r.id = ?",
  )
  const toTakeUp = {
    answered: prepared<UnchangedRow>(database, answered),
    left: prepared<UnchangedRow>(database, left),
  }
  const number = prepared<{ n: number }>(database, "SELECT n FROM runs WHERE id = ?")
  const lines = prepared<JournalRow>(database, page)
  const last = prepared<{ seq: number | null }>(database, "SELECT max(seq) AS seq FROM journal WHERE run = ?")
  const openOf = createOpenCounter(database)
  const statementFor = preparedOnDemand<PlacedRow & { readonly count: number }>(database)
  // One walk along an index each, then the newest of all: never a sort of the whole table.
  const newestOf = (walk: Walk, query: RunQuery): readonly PlacedRow[] => {
    const { where, values } = conditionsOf(walk, query, query.after)
    const sql = `SELECT s.doc, created_at AS createdAt, id FROM runs r JOIN run_summaries s ON s.n = r.n WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ?`
    return statementFor(sql).all(...values, query.limit)
  }
  const countOf = (walk: Walk, query: Filter): number => {
    const { where, values } = conditionsOf(walk, query, undefined)
    return statementFor(`SELECT count(*) AS count FROM runs WHERE ${where}`).get(...values)?.count ?? 0
  }
  return {
    byId: (id) => {
      const row = byId.get(keyText(id))
      return row === undefined ? undefined : runOf(row)
    },
    summaryOf: (id) => {
      const row = summary.get(keyText(id))
      return row === undefined ? undefined : storedJson<RunSummary>(row.doc)
    },
    newest: (query) => {
      const rows = walksOf(query).flatMap((walk) => newestOf(walk, query))
      return rows
        .sort(newestFirst)
        .slice(0, query.limit)
        .map(({ doc }) => storedJson<RunSummary>(doc))
    },
    open: openOf,
    count: (query) => walksOf(query).reduce((sum, walk) => sum + countOf(walk, query), 0),
    toTakeUp: ({ now, alive, limit }) => {
      const names = JSON.stringify(alive.map(keyText))
      const rows = [...toTakeUp.answered.all(limit), ...toTakeUp.left.all(now, names, limit)]
      return rows.sort(longestUnchangedFirst).slice(0, limit).map(runOf)
    },
    journal: (run, { after, maxBytes }) => {
      const row = number.get(keyText(run))
      if (row === undefined) return []
      return lines
        .all(row.n, after, row.n, after, maxBytes)
        .map(({ name, ...rest }) => ({ run, ...rest, name: nameOf(name) }))
    },
    lastLine: (run) => {
      const row = number.get(keyText(run))
      return row === undefined ? 0 : (last.get(row.n)?.seq ?? 0)
    },
  }
}

type OpenRow = Omit<OpenRunTotals, "waiting"> & { readonly heldCalls: number; readonly heldBytes: number }

/** Counts what a starter's open runs take, from an index alone. */
export function createOpenCounter(database: DatabaseSync): (startedBy: RunStarter) => OpenRunTotals {
  const counted = prepared<OpenRow>(
    database,
    `SELECT count(*) AS runs, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(held_calls), 0) AS heldCalls,
       coalesce(sum(held_bytes), 0) AS heldBytes FROM runs INDEXED BY runs_of_starter
     WHERE ended_at IS NULL AND starter_id = ? AND starter_kind = ?`,
  )
  return ({ id, kind }) => {
    const { runs = 0, bytes = 0, heldCalls = 0, heldBytes = 0 } = counted.get(keyText(id), kind) ?? {}
    return { runs, bytes, waiting: { calls: heldCalls, bytes: heldBytes } }
  }
}

type Walk = { readonly status: AgentRunStatus; readonly principal: RunPrincipal }

function walksOf({ statuses, principal }: Filter): readonly Walk[] {
  const principals = principal === undefined ? runPrincipals : [principal]
  const asked = statuses === undefined ? allStatuses : [...new Set(statuses)]
  return asked.flatMap((status) => principals.map((each) => ({ status, principal: each })))
}

function conditionsOf(
  { status, principal }: Walk,
  { startedBy, createdSince }: Filter,
  after: RunQuery["after"],
): { readonly where: string; readonly values: ReadonlyArray<string | number> } {
  const starter = startedBy === undefined ? [] : [keyText(startedBy.id), startedBy.kind]
  const since = createdSince === undefined ? [] : [createdSince]
  const place = after === undefined ? [] : [after.createdAt, keyText(after.id)]
  const conditions = [
    "status = ? AND principal = ?",
    ...(startedBy === undefined ? [] : ["starter_id = ? AND starter_kind = ?"]),
    ...(createdSince === undefined ? [] : ["created_at >= ?"]),
    ...(after === undefined ? [] : ["(created_at, id) < (?, ?)"]),
  ]
  return { where: conditions.join(" AND "), values: [status, principal, ...starter, ...since, ...place] }
}

function longestUnchangedFirst(a: UnchangedRow, b: UnchangedRow): number {
  return a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1)
}

function runOf(row: DocRow): AgentRun {
  return storedJson<AgentRun>(row.doc)
}
