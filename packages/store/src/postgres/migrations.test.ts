import { randomUUID } from "node:crypto"
import { verifyAudit } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import pg from "pg"
import { describe, expect, it } from "vitest"
import { change, commitAll, document, grant, hold, pending } from "../contract/samples.ts"
import { steps } from "./migrations.ts"
import { openPostgresStore } from "./open-postgres-store.ts"

const url = process.env.BYLEAVE_TEST_POSTGRES ?? ""
const ports = { url, hasher: nodeHasher, signer: ed25519Signer(newSigningKey()) }

it("keeps the steps that were released as they were", () => {
  expect(steps.slice(0, 1).map((step) => nodeHasher.sha256(step).slice(0, 16))).toEqual(["26a78306f64c0dbb"])
})

describe.skipIf(url === "")("a schema of an older version", () => {
  it.each(steps.slice(1).map((_, index) => index + 1))("opens at version %i with everything in it", async (version) => {
    const [source, schema] = [`test ${randomUUID()}`, `test ${randomUUID()}`]
    const client = new pg.Client(url)
    await client.connect()
    try {
      const first = await openPostgresStore({ ...ports, schema: source })
      await commitAll(first, hold(pending("waiting")), change({ grants: [{ put: grant("grant") }] }))
      await first.close()
      await makeOld(client, source, schema, version)

      const store = await openPostgresStore({ ...ports, schema })
      expect(await store.approval("waiting")).toEqual(pending("waiting"))
      expect((await store.decisionState()).grants).toEqual([grant("grant")])
      expect(await store.lastEvent()).toBe(1)
      await commitAll(store, change({ documents: [{ put: document("token", "t"), replaces: null }] }))
      expect(await verifyAudit(store, ports)).toMatchObject({ problems: [], chains: 2 })
      await store.close()
      const stored = await client.query(`SELECT version FROM ${pg.escapeIdentifier(schema)}.meta`)
      expect(stored.rows).toEqual([{ version: String(steps.length) }])
    } finally {
      for (const each of [source, schema]) {
        await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(each)} CASCADE`)
      }
      await client.end()
    }
  })
})

/** A schema as that version made it, with the rows of another one. */
async function makeOld(client: pg.Client, source: string, schema: string, version: number): Promise<void> {
  const [from, to] = [pg.escapeIdentifier(source), pg.escapeIdentifier(schema)]
  await client.query(`CREATE SCHEMA ${to}`)
  for (const step of steps.slice(0, version)) await client.query(step.replaceAll("{s}", to))
  const tables = await client.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1",
    [schema],
  )
  for (const { name } of tables.rows) {
    await client.query(`DELETE FROM ${to}.${name}`)
    await client.query(`INSERT INTO ${to}.${name} SELECT * FROM ${from}.${name}`)
  }
  await client.query(`CREATE TABLE ${to}.meta (version bigint NOT NULL)`)
  await client.query(`INSERT INTO ${to}.meta VALUES (${version})`)
}
