import type { AgentRun, Change, Grant, PrincipalCounts, SessionTotal, StoredDocument } from "@byleave/core"
import { type DocumentRef, documentKey, documentOf } from "../document-facts.ts"
import { ownerOf, runIdOf, type StoredRun } from "../run-facts.ts"
import { resultOf, type Table } from "./database.ts"
import { type ApprovalRow, documentIn, type RunRow, type TextRow, type WaitingRow } from "./rows.ts"

/** The rows that a change is judged by or builds on, as they are before it. */
export type StoredBefore = {
  readonly versions: ReadonlyMap<string, number>
  readonly grants: ReadonlyMap<string, Grant>
  readonly documents: ReadonlyMap<string, StoredDocument>
  readonly runs: ReadonlyMap<string, StoredRun>
  readonly lines: { readonly names: ReadonlySet<string>; readonly numbers: ReadonlySet<number> }
  readonly principal: PrincipalCounts | undefined
  readonly session: SessionTotal | undefined
  readonly waiting: readonly WaitingRow[]
  readonly openRuns: readonly AgentRun[]
}

export async function readStored(table: Table, change: Change): Promise<StoredBefore> {
  const { approvals = [], documents = [], runs = [], journal, use, within } = change
  const grantIds = [
    ...(change.grantUses ?? []).map(({ grant }) => grant),
    ...(change.grants ?? []).flatMap((write) => ("put" in write ? [write.put.id] : [])),
  ]
  const runIds = [...runs.map(runIdOf), ...(journal === undefined ? [] : [journal.run])]
  const [approvalRows, grantRows, documentRows, runRows, lines, principal, session, waiting, openRuns] =
    await Promise.all([
      getAll<ApprovalRow>(
        table("approvals"),
        approvals.map(({ next }) => next.id),
      ),
      getAll<TextRow>(table("grants"), grantIds),
      getAll<TextRow>(
        table("documents"),
        documents.map((write) => keyOf(documentOf(write))),
      ),
      getAll<RunRow>(table("runs"), runIds),
      journal === undefined ? noLines : linesAlready(table, journal),
      use === undefined ? undefined : resultOf<TextRow | undefined>(table("principalCounts").get(use.principal)),
      use?.session === undefined
        ? undefined
        : resultOf<SessionTotal | undefined>(table("sessionTotals").get([use.principal, use.session])),
      within === undefined ? [] : resultOf<WaitingRow[]>(table("waiting").getAll()),
      within?.ofRuns === undefined ? [] : readOpenRuns(table),
    ])
  const runsFound = runRows.map((row) => documentIn<AgentRun>(row))
  return {
    versions: new Map(approvalRows.map(({ id, version }) => [id, version])),
    grants: new Map(grantRows.map((row) => documentIn<Grant>(row)).map((grant) => [grant.id, grant])),
    documents: new Map(
      documentRows.map((row) => documentIn<StoredDocument>(row)).map((each) => [documentKey(each), each]),
    ),
    runs: new Map(runsFound.map((run) => [run.id, { version: run.version, owner: ownerOf(run) }])),
    lines,
    principal: principal === undefined ? undefined : documentIn<PrincipalCounts>(principal),
    session: session === undefined ? undefined : { total: session.total, forgetAt: session.forgetAt },
    waiting,
    openRuns,
  }
}

async function getAll<Row>(table: IDBObjectStore, keys: readonly IDBValidKey[]): Promise<readonly Row[]> {
  const found = await Promise.all(keys.map((key) => resultOf<Row | undefined>(table.get(key))))
  return found.filter((row) => row !== undefined)
}

const noLines: StoredBefore["lines"] = { names: new Set(), numbers: new Set() }

async function linesAlready(
  table: Table,
  { run, lines }: NonNullable<Change["journal"]>,
): Promise<{ readonly names: ReadonlySet<string>; readonly numbers: ReadonlySet<number> }> {
  const journal = table("journal")
  const byName = journal.index("byName")
  const found = await Promise.all(
    lines.map(async ({ name, seq }) => ({
      name: (await resultOf(byName.count([run, name]))) > 0 ? [name] : [],
      seq: (await resultOf(journal.count([run, seq]))) > 0 ? [seq] : [],
    })),
  )
  return {
    names: new Set(found.flatMap(({ name }) => name)),
    numbers: new Set(found.flatMap(({ seq }) => seq)),
  }
}

/** Runs that are running or paused. */
export async function readOpenRuns(table: Table): Promise<readonly AgentRun[]> {
  const byStatus = table("runs").index("byStatus")
  const rows = await Promise.all(["running", "paused"].map((status) => resultOf<RunRow[]>(byStatus.getAll(status))))
  return rows.flat().map((row) => documentIn<AgentRun>(row))
}

export function keyOf({ kind, id }: DocumentRef): [string, string] {
  return [kind, id]
}
