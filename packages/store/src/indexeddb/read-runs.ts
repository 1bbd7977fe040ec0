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
import { newestFirst, oldestFirst } from "../in-order.ts"
import { matchesRun, runsWaitingForNobody, totalsOf, type WantedRuns } from "../match-run.ts"
import { isSameStarter } from "../run-facts.ts"
import { resultOf, type Table } from "./database.ts"
import { readOpenRuns } from "./read-stored.ts"
import { documentAt, documentIn, type RunRow, type WaitingRow } from "./rows.ts"
import { walk } from "./walk.ts"

export async function newestRuns(table: Table, query: RunQuery): Promise<readonly RunSummary[]> {
  const { after, limit } = query
  const found: AgentRun[] = []
  await walk<RunRow>(table("runs").index("byTime"), null, "prev", (row) => {
    const isWanted = after === undefined || oldestFirst(row, after) < 0
    const run = isWanted ? documentIn<AgentRun>(row) : null
    if (run !== null && matchesRun(run, query)) found.push(run)
    return found.length < limit
  })
  return found.sort(newestFirst).slice(0, limit).map(runSummaryOf)
}

export async function runSummaryIn(table: Table, id: string): Promise<RunSummary | undefined> {
  const run = await documentAt<AgentRun>(table("runs"), id)
  return run === undefined ? undefined : runSummaryOf(run)
}

export async function countRuns(table: Table, query: WantedRuns): Promise<number> {
  const rows = await resultOf<RunRow[]>(table("runs").getAll())
  return rows.filter((row) => matchesRun(documentIn<AgentRun>(row), query)).length
}

export async function openRunTotals(table: Table, startedBy: RunStarter): Promise<OpenRunTotals> {
  return totalsOf((await readOpenRuns(table)).filter((run) => isSameStarter(run.startedBy, startedBy)))
}

export async function runsToTakeUp(
  table: Table,
  query: Parameters<Store["runsToTakeUp"]>[0],
): Promise<readonly AgentRun[]> {
  const waiting = await resultOf<WaitingRow[]>(table("waiting").getAll())
  return runsWaitingForNobody(await readOpenRuns(table), waiting, query)
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
