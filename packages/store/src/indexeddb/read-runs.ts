import {
  type AgentRun,
  type JournalLine,
  type OpenRunTotals,
  type RunQuery,
  type RunStarter,
  type RunSummary,
  runSummaryOf,
  type Store,
  utf8Length,
} from "@byleave/core"
import { compare, newestFirst, oldestFirst } from "../memory/in-order.ts"
import { heldOf, isSameStarter } from "../run-facts.ts"
import { readOpenRuns, sumOf, type Table } from "./commit-change.ts"
import { resultOf } from "./database.ts"
import { documentIn, type RunRow, type WaitingRow } from "./rows.ts"
import { walk } from "./walk.ts"

type Filter = Omit<RunQuery, "limit" | "after">

export async function runById(table: Table, id: string): Promise<AgentRun | undefined> {
  const row = await resultOf<RunRow | undefined>(table("runs").get(id))
  return row === undefined ? undefined : documentIn<AgentRun>(row)
}

export async function newestRuns(table: Table, query: RunQuery): Promise<readonly RunSummary[]> {
  const { after, limit } = query
  const found: AgentRun[] = []
  await walk<RunRow>(table("runs").index("byTime"), null, "prev", (row) => {
    const isWanted = after === undefined || oldestFirst(row, after) < 0
    const run = isWanted ? documentIn<AgentRun>(row) : null
    if (run !== null && matches(run, query)) found.push(run)
    return found.length < limit
  })
  return found.sort(newestFirst).slice(0, limit).map(runSummaryOf)
}

export async function countRuns(table: Table, query: Filter): Promise<number> {
  const rows = await resultOf<RunRow[]>(table("runs").getAll())
  return rows.filter((row) => matches(documentIn<AgentRun>(row), query)).length
}

function matches(run: AgentRun, { statuses, startedBy, principal, createdSince = 0 }: Filter): boolean {
  return (
    (statuses === undefined || statuses.includes(run.status)) &&
    (startedBy === undefined || isSameStarter(startedBy, run.startedBy)) &&
    (principal === undefined || principal === run.principal) &&
    run.createdAt >= createdSince
  )
}

export async function openRunTotals(table: Table, startedBy: RunStarter): Promise<OpenRunTotals> {
  const open = (await readOpenRuns(table)).filter((run) => isSameStarter(run.startedBy, startedBy))
  const bytes = open.reduce((sum, run) => sum + run.bytes, 0)
  return { runs: open.length, bytes, waiting: sumOf(open.map(heldOf)) }
}

export async function runsToTakeUp(
  table: Table,
  { now, alive, limit }: Parameters<Store["runsToTakeUp"]>[0],
): Promise<readonly AgentRun[]> {
  const waiting = await resultOf<WaitingRow[]>(table("waiting").getAll())
  const asked = new Set(waiting.map(({ principal, session }) => JSON.stringify([principal, session])))
  const waitsForNobody = (run: AgentRun): boolean => {
    if (run.status === "running") return run.leaseUntil <= now || !alive.includes(run.owner)
    return run.status === "paused" && !asked.has(JSON.stringify([run.principal, run.id]))
  }
  return (await readOpenRuns(table))
    .filter(waitsForNobody)
    .sort((a, b) => a.updatedAt - b.updatedAt || compare(a.id, b.id))
    .slice(0, limit)
}

export async function journalPage(
  table: Table,
  ...[run, { after, maxBytes }]: Parameters<Store["journal"]>
): Promise<readonly JournalLine[]> {
  const lines: JournalLine[] = []
  let bytes = 0
  await walk<JournalLine>(table("journal"), IDBKeyRange.bound([run, after], [run, []], true), "next", (line) => {
    bytes += utf8Length(line.text)
    if (lines.length > 0 && bytes > maxBytes) return false
    lines.push(line)
    return true
  })
  return lines
}

export async function lastLine(table: Table, run: string): Promise<number> {
  let last = 0
  await walk<JournalLine>(table("journal"), IDBKeyRange.bound([run], [run, []]), "prev", ({ seq }) => {
    last = seq
    return false
  })
  return last
}
