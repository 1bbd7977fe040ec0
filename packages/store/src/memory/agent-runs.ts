import {
  type AgentRun,
  type Change,
  type EpochMs,
  type JournalLine,
  type JournalWrite,
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
import { endedAtOf } from "../run-facts.ts"
import type { MemoryDatabase } from "./memory-database.ts"

export function writeRuns(database: MemoryDatabase, { runs = [], journal }: Change): void {
  for (const write of runs) {
    if ("next" in write) database.runs.set(write.next.id, write.next)
    else removeRun(database, write.remove)
  }
  if (journal !== undefined) addLines(database, journal)
}

function addLines(database: MemoryDatabase, { run, lines }: JournalWrite): void {
  const kept = database.journals.get(run) ?? []
  const inOrder = lines.every(({ seq }, index) => seq > ((lines[index - 1] ?? kept.at(-1))?.seq ?? 0))
  kept.push(...lines)
  if (!inOrder) kept.sort((a, b) => a.seq - b.seq)
  database.journals.set(run, kept)
}

export function hasLine(database: MemoryDatabase, { run, name, seq }: JournalLine): boolean {
  return linesOf(database, run).some((line) => line.name === name || line.seq === seq)
}

function linesOf(database: MemoryDatabase, run: string): readonly JournalLine[] {
  return database.journals.get(run) ?? []
}

export function journalPage(
  database: MemoryDatabase,
  run: string,
  { after, maxBytes }: Parameters<Store["journal"]>[1],
): readonly JournalLine[] {
  let bytes = 0
  const lines = linesOf(database, run).filter(({ seq }) => seq > after)
  const beyond = lines.findIndex((line, index) => {
    bytes += utf8Length(line.text)
    return index > 0 && bytes > maxBytes
  })
  return beyond === -1 ? lines : lines.slice(0, beyond)
}

export function newestRuns(database: MemoryDatabase, query: RunQuery): readonly RunSummary[] {
  const { after } = query
  return matchingRuns(database, query)
    .filter((run) => after === undefined || oldestFirst(run, after) < 0)
    .sort(newestFirst)
    .slice(0, query.limit)
    .map(runSummaryOf)
}

export function runSummaryIn(database: MemoryDatabase, id: string): RunSummary | undefined {
  const run = database.runs.get(id)
  return run === undefined ? undefined : runSummaryOf(run)
}

export function matchingRuns(database: MemoryDatabase, filter: WantedRuns): AgentRun[] {
  return [...database.runs.values()].filter((run) => matchesRun(run, filter))
}

export function openRuns(database: MemoryDatabase, startedBy: RunStarter): OpenRunTotals {
  return totalsOf(matchingRuns(database, { startedBy, statuses: ["running", "paused"] }))
}

export function lastLine(database: MemoryDatabase, run: string): number {
  return linesOf(database, run).at(-1)?.seq ?? 0
}

export function runsToTakeUp(
  database: MemoryDatabase,
  query: Parameters<Store["runsToTakeUp"]>[0],
): readonly AgentRun[] {
  const waiting = [...database.approvals.values()]
    .filter(({ status }) => status === "pending")
    .map(({ principal, session }) => ({ principal: principal.id, session: session.id }))
  return runsWaitingForNobody(database.runs.values(), waiting, query)
}

/** Removes runs that ended before then, with their journals. */
export function removeEndedRuns(database: MemoryDatabase, before: EpochMs): void {
  for (const run of [...database.runs.values()]) {
    const endedAt = endedAtOf(run)
    if (endedAt !== null && endedAt < before) removeRun(database, run.id)
  }
}

function removeRun(database: MemoryDatabase, run: string): void {
  database.runs.delete(run)
  database.journals.delete(run)
}
