import type { Store } from "@byleave/core"
import { type ContractPorts, type StoreUnderTest, storeContract } from "../contract/index.ts"
import { newMemoryDatabase } from "./memory-database.ts"
import { openMemoryStore } from "./open-memory-store.ts"

storeContract("memory", async (ports) => openMemory(ports))

function openMemory(ports: ContractPorts): StoreUnderTest {
  const database = newMemoryDatabase()
  const opened: Store[] = []
  const open = (): Store => {
    const store = openMemoryStore({ ...ports, database })
    opened.push(store)
    return store
  }
  const store = open()
  return {
    store,
    reopen: async () => {
      await store.close()
      return open()
    },
    second: async () => open(),
    rows: async () => ({ principals: database.principalCounts.size, sessions: database.sessionTotals.size }),
    dispose: async () => {
      for (const each of opened) await each.close()
    },
  }
}
