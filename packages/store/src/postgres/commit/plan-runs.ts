import { type AgentRun, type Change, type Hasher, type JournalLine, runSummaryOf } from "@byleave/core"
import { keyText } from "../../key-text.ts"
import { ownerOf, runColumns, runIdOf, type StoredRun } from "../../run-facts.ts"
import { type LockedRuns, lineKey } from "./lock-runs.ts"

/** The writes of a batch to runs; null stands for "removed". */
export type RunWrites = {
  readonly runs: Map<string, { readonly run: AgentRun | null; readonly isNew: boolean }>
  /** By run. */
  readonly journals: Map<string, JournalPlan>
}

/** `isEmptied`: what was there before the batch goes. */
type JournalPlan = { readonly isEmptied: boolean; readonly lines: readonly JournalLine[] }

export function noRunWrites(): RunWrites {
  return { runs: new Map(), journals: new Map() }
}

export function currentRun(id: string, locked: LockedRuns, writes: RunWrites): StoredRun | undefined {
  const written = writes.runs.get(id)
  if (written === undefined) return locked.runs.get(id)
  return written.run === null ? undefined : { version: written.run.version, owner: ownerOf(written.run) }
}

export function isLineThere({ run, seq, name }: JournalLine, locked: LockedRuns, writes: RunWrites): boolean {
  const planned = writes.journals.get(run)
  const there = [...(planned?.isEmptied === true ? [] : locked.lines), ...(planned?.lines ?? [])]
  return there.some((line) => line.run === run && (line.seq === seq || line.name === name))
}

export function applyRuns({ runs = [], journal }: Change, locked: LockedRuns, writes: RunWrites): void {
  for (const write of runs) {
    const id = runIdOf(write)
    writes.runs.set(id, { run: "next" in write ? write.next : null, isNew: !locked.runs.has(id) })
    if ("remove" in write) writes.journals.set(id, { isEmptied: true, lines: [] })
  }
  if (journal === undefined) return
  const { isEmptied = false, lines = [] } = writes.journals.get(journal.run) ?? {}
  writes.journals.set(journal.run, { isEmptied, lines: [...lines, ...journal.lines] })
}

type Rows = ReadonlyArray<readonly unknown[]>

/** The rows of runs and lines that a batch writes. New rows are inserted, and the insert fails if another process was faster. */
export function runRowsOf(
  { runs, journals }: RunWrites,
  hasher: Hasher,
): {
  readonly emptied: readonly string[]
  readonly added: Rows
  readonly moved: Rows
  readonly removed: readonly string[]
  readonly lines: Rows
} {
  const rowsOf = (which: boolean): Rows =>
    [...runs.values()].flatMap(({ run, isNew }) => (run === null || isNew !== which ? [] : [runRow(run)]))
  return {
    emptied: [...journals].flatMap(([run, { isEmptied }]) => (isEmptied ? [keyText(run)] : [])),
    added: rowsOf(true),
    moved: rowsOf(false),
    removed: [...runs].flatMap(([id, { run }]) => (run === null ? [keyText(id)] : [])),
    lines: [...journals.values()].flatMap(({ lines }) => lines.map((line) => lineRow(line, hasher))),
  }
}

function runRow(run: AgentRun): readonly unknown[] {
  return [keyText(run.id), ...runColumns(run), JSON.stringify(runSummaryOf(run))]
}

function lineRow({ run, seq, name, at, text }: JournalLine, hasher: Hasher): readonly unknown[] {
  return [keyText(run), seq, lineKey(name, hasher), keyText(name), at, text]
}
