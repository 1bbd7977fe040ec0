import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Store } from "@byleave/core"
import { type ContractPorts, type CountedRows, type StoreUnderTest, storeContract } from "../contract/index.ts"
import { openSqliteStore } from "./open-sqlite-store.ts"

storeContract("sqlite", (ports) => openFile(ports, false))
storeContract("sqlite with records ahead", (ports) => openFile(ports, true), { countsAlone: true })

function countRows(path: string): CountedRows {
  const database = new DatabaseSync(path, { readOnly: true })
  const count = (table: string): number => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
  const rows = { principals: count("principal_counts"), sessions: count("session_totals") }
  database.close()
  return rows
}

/** Of those that share a file one at most may commit ahead. */
async function openFile(ports: ContractPorts, ahead: boolean): Promise<StoreUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-store-"))
  const opened: Store[] = []
  const open = async (isFirst = false): Promise<Store> => {
    const path = join(folder, "byleave.db")
    const store = await openSqliteStore({ ...ports, path, pollMs: 5, ahead: ahead && isFirst })
    opened.push(store)
    return store
  }
  const store = await open(true)
  return {
    store,
    reopen: async () => {
      await store.close()
      return open(true)
    },
    second: () => open(),
    rows: async () => countRows(join(folder, "byleave.db")),
    dispose: async () => {
      for (const each of opened) await each.close()
      rmSync(folder, { recursive: true })
    },
  }
}
