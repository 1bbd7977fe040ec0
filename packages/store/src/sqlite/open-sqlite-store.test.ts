import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Store } from "@byleave/core"
import { type ContractPorts, type OpenedStore, storeContract } from "../contract/index.ts"
import { openSqliteStore } from "./open-sqlite-store.ts"

storeContract("sqlite", openFile)

async function openFile(ports: ContractPorts): Promise<OpenedStore> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-store-"))
  const opened: Store[] = []
  const open = async (): Promise<Store> => {
    const store = await openSqliteStore({ ...ports, path: join(folder, "byleave.db"), pollMs: 5 })
    opened.push(store)
    return store
  }
  const store = await open()
  return {
    store,
    reopen: async () => {
      await store.close()
      return open()
    },
    second: open,
    dispose: async () => {
      for (const each of opened) await each.close()
      rmSync(folder, { recursive: true })
    },
  }
}
