import { randomUUID } from "node:crypto"
import { runSummaryOf, sessionKey, summaryOf, verifyAudit } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import pg from "pg"
import { describe, expect, it } from "vitest"
import {
  agentRun,
  begin,
  change,
  commitAll,
  document,
  grant,
  hold,
  line,
  lines,
  pending,
  session,
  start,
} from "../contract/samples.ts"
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
      await commitAll(first, hold(pending("waiting")), change({ grants: [{ put: grant("grant", own) }] }))
      await commitAll(first, begin(agentRun("old", { bytes: 7, leaseUntil: start }), { events: [] }))
      await first.close()
      await makeOld(client, source, schema, version)
      await addSession(client, schema, version)

      const store = await openPostgresStore({ ...ports, schema })
      expect(await store.approval("waiting")).toEqual(pending("waiting"))
      expect(await store.approvals({ limit: 5 })).toEqual([summaryOf(pending("waiting"))])
      expect((await store.decisionState()).grants).toEqual([grant("grant", own)])
      const observed = session("s", { mode: "observe" })
      expect((await store.decisionState()).sessions).toEqual([observed])
      expect(await store.sessionState(observed)).toMatchObject({ record: observed, grants: [grant("grant", own)] })
      expect(await store.session(session("over"))).toMatchObject({ endedAt: start })
      await store.removePayloads(start + 1)
      expect(await store.session(session("over"))).toBeUndefined()
      const use = { principal: "agent", session: "s", within: { autoAllowedPerSession: 4 } }
      expect(await store.commit(change({ use }))).toMatchObject({ usage: { autoAllowedInSession: 4 } })
      expect(await store.lastEvent()).toBe(1)
      await commitAll(store, change({ documents: [{ put: document("token", "t"), replaces: null }] }))
      await commitAll(store, begin(agentRun("run"), { ...lines("run", "p1", line("run", 1)), events: [] }))
      const old = version < withRuns ? [] : [agentRun("old", { bytes: 7, leaseUntil: start })]
      expect(await store.runsToTakeUp({ now: start, alive: [], limit: 5 })).toEqual([...old, agentRun("run")])
      expect(await store.runs({ limit: 5 })).toEqual([agentRun("run"), ...old].map(runSummaryOf))
      expect(await store.openRuns(agentRun("run").startedBy)).toMatchObject({ bytes: old.length * 7 })
      expect(await store.journal("run", { after: 0, maxBytes: 99 })).toEqual([line("run", 1)])
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

const own = { session: { principal: "agent", id: "s" } }
const withRuns = 6

/** The first version that counts in tables of its own; those before kept with a session how many calls it had run unasked. */
const counted = 5

async function addSession(client: pg.Client, schema: string, version: number): Promise<void> {
  const table = (name: string): string => `${pg.escapeIdentifier(schema)}.${name}`
  for (const record of [session("s", { mode: "observe" }), session("over", { mode: "observe", endedAt: start })]) {
    const key = nodeHasher.sha256(sessionKey(record))
    if (version < counted) {
      const values = [key, JSON.stringify({ ...record, autoAllowed: 0 })]
      await client.query(`INSERT INTO ${table("sessions")} (key, auto_allowed, doc) VALUES ($1, 4, $2)`, values)
    } else {
      await client.query(`INSERT INTO ${table("sessions")} (key, doc) VALUES ($1, $2)`, [key, JSON.stringify(record)])
      await client.query(`INSERT INTO ${table("session_totals")} (key, forget_at, total) VALUES ($1, 5e12, 4)`, [key])
    }
  }
}

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
    const columns = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $3
         AND column_name IN (SELECT column_name FROM information_schema.columns WHERE table_schema = $2 AND table_name = $3)`,
      [schema, source, name],
    )
    const names = columns.rows.map((column) => column.name).join(", ")
    await client.query(`INSERT INTO ${to}.${name} (${names}) SELECT ${names} FROM ${from}.${name}`)
  }
  await client.query(`CREATE TABLE ${to}.meta (version bigint NOT NULL)`)
  await client.query(`INSERT INTO ${to}.meta VALUES (${version})`)
}
