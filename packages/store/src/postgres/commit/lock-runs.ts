import type { Change, Hasher, JournalLine } from "@byleave/core"
import type { ClientBase } from "pg"
import { keyText, nameOf } from "../../key-text.ts"
import { runIdOf, type StoredRun } from "../../run-facts.ts"
import type { Statement } from "../connections.ts"
import type { Statements } from "./statements.ts"

/** The runs of a batch, and those lines of their journals that have a number or a name in common with one of the batch. */
export type LockedRuns = {
  readonly runs: ReadonlyMap<string, StoredRun>
  readonly lines: ReadonlyArray<Pick<JournalLine, "run" | "seq" | "name">>
}

const none: LockedRuns = { runs: new Map(), lines: [] }

type RunRow = { readonly id: string; readonly version: number; readonly owner: string | null }

/** Lets nobody else move the runs, or write to their journals, before the commit. */
export async function lockRuns(
  client: ClientBase,
  changes: readonly Change[],
  hasher: Hasher,
  sql: Statements,
): Promise<LockedRuns> {
  const names = changes.flatMap(({ runs = [], journal }) => [
    ...runs.map(runIdOf),
    ...(journal === undefined ? [] : [journal.run]),
  ])
  if (names.length === 0) return none
  const written = changes.flatMap(({ journal }) => journal?.lines ?? [])
  const ask = <Row extends object>(statement: Statement, values: readonly unknown[]) =>
    client.query<Row>({ ...statement, values: [...values] })
  const wanted = [
    written.map(({ run }) => keyText(run)),
    written.map(({ seq }) => seq),
    written.map(({ name }) => lineKey(name, hasher)),
  ]
  const [runs, lines] = await Promise.all([
    ask<RunRow>(sql.lockRuns, [[...new Set(names)].map(keyText)]),
    written.length > 0 ? ask<LockedRuns["lines"][number]>(sql.linesThere, wanted) : null,
  ])
  return {
    runs: new Map(runs.rows.map(({ id, version, owner }) => [nameOf(id), { version, owner: ownerIn(owner) }])),
    lines: lines?.rows.map(({ run, seq, name }) => ({ run: nameOf(run), seq, name: nameOf(name) })) ?? [],
  }
}

function ownerIn(owner: string | null): string | null {
  return owner === null ? null : nameOf(owner)
}

/** The key that a line is found by: its name has any length, an index entry has not. */
export function lineKey(name: string, hasher: Hasher): string {
  return hasher.sha256(JSON.stringify([name]))
}
