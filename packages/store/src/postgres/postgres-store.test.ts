import { randomUUID } from "node:crypto"
import type { Store } from "@byleave/core"
import pg from "pg"
import { type ContractPorts, type CountedRows, type StoreUnderTest, storeContract } from "../contract/index.ts"
import { openPostgresStore } from "./open-postgres-store.ts"

const url = process.env.BYLEAVE_TEST_POSTGRES ?? ""
if (url === "" && process.env.CI === "true") throw new Error("BYLEAVE_TEST_POSTGRES is not set: run npm test")
const reason = "no PostgreSQL server; npm test starts one"

storeContract("PostgreSQL", openPostgres, url === "" ? { skip: reason } : {})

async function openPostgres({ hasher, signer, newId, elapsed }: ContractPorts): Promise<StoreUnderTest> {
  const schema = `test ${randomUUID()}`
  const opened: Store[] = []
  const open = async (): Promise<Store> => {
    const store = await openPostgresStore({ url, schema, hasher, signer, newId, elapsed })
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
    rows: () => countRows(schema),
    dispose: async () => {
      for (const each of opened) await each.close()
      const client = new pg.Client(url)
      await client.connect()
      await client.query(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`)
      await client.end()
    },
  }
}

async function countRows(schema: string): Promise<CountedRows> {
  const client = new pg.Client(url)
  await client.connect()
  const count = async (table: string): Promise<number> => {
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${pg.escapeIdentifier(schema)}.${table}`)
    return rows[0].n
  }
  const counted = { principals: await count("principal_counts"), sessions: await count("session_totals") }
  await client.end()
  return counted
}
