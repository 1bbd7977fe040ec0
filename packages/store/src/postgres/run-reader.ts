import type { AgentRun, JournalLine, OpenRunTotals, RunQuery, RunStarter, RunSummary, Store } from "@byleave/core"
import { keyText, nameOf } from "../key-text.ts"
import type { Statements } from "./commit/statements.ts"
import type { Connections } from "./connections.ts"
import { readDoc } from "./read-doc.ts"
import { countRuns, listRuns } from "./run-filter.ts"
import type { Filtered } from "./where.ts"

type DocRow = { doc: string }
type OpenRow = { runs: number; bytes: number; held_calls: number; held_bytes: number }

/** Runs and their journals. */
export function createRunReader(read: Connections["read"], sql: Statements, quotedSchema: string) {
  const runs = async (rows: Promise<readonly DocRow[]>): Promise<readonly AgentRun[]> =>
    (await rows).map(({ doc }) => readDoc<AgentRun>(doc))
  const filtered = ({ statement, values }: Filtered) => read<DocRow & { count: number }>(statement, values)
  return {
    run: async (id: string): Promise<AgentRun | undefined> => (await runs(read<DocRow>(sql.run, [keyText(id)])))[0],
    runSummary: async (id: string): Promise<RunSummary | undefined> =>
      (await read<DocRow>(sql.runSummary, [keyText(id)])).map(({ doc }) => readDoc<RunSummary>(doc))[0],
    runs: async (query: RunQuery): Promise<readonly RunSummary[]> =>
      (await filtered(listRuns(query, quotedSchema))).map(({ doc }) => readDoc<RunSummary>(doc)),
    openRuns: async ({ kind, id }: RunStarter): Promise<OpenRunTotals> => {
      const [row] = await read<OpenRow>(sql.openRuns, [keyText(id), kind])
      const { runs = 0, bytes = 0, held_calls: calls = 0, held_bytes: heldBytes = 0 } = row ?? {}
      return { runs, bytes, waiting: { calls, bytes: heldBytes } }
    },
    lastLine: async (run: string): Promise<number> =>
      (await read<{ seq: number }>(sql.lastLine, [keyText(run)]))[0]?.seq ?? 0,
    countRuns: async (query: Omit<RunQuery, "limit" | "after">): Promise<number> =>
      (await filtered(countRuns(query, quotedSchema)))[0]?.count ?? 0,
    runsToTakeUp: ({ now, alive, limit }: Parameters<Store["runsToTakeUp"]>[0]) =>
      runs(read<DocRow>(sql.runsToTakeUp, [now, alive.map(keyText), limit])),
    journal: async (...[run, query]: Parameters<Store["journal"]>): Promise<readonly JournalLine[]> => {
      const rows = await read<Omit<JournalLine, "run">>(sql.journal, [keyText(run), query.after, query.maxBytes])
      return rows.map(({ name, ...rest }) => ({ run, ...rest, name: nameOf(name) }))
    },
  }
}
