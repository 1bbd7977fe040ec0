import { randomUUID } from "node:crypto"
import { newSessionRecord, type Store, StoreError, type StoreEvent, summaryOf, verifyAudit } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import pg from "pg"
import { afterAll, afterEach, describe, expect, it, vi } from "vitest"
import { startThrowAwayCluster } from "../../../../scripts/postgres/postgres-cluster.ts"
import { approved, change, draft, grant, hold, move, pending, start } from "../contract/samples.ts"
import { type CutProxy, openCutProxy } from "./cut-proxy.ts"
import { openPostgresStore } from "./open-postgres-store.ts"

const url = process.env.BYLEAVE_TEST_POSTGRES ?? ""
const title =
  url === "" ? "PostgreSQL faults (skipped: no PostgreSQL server; npm test starts one)" : "PostgreSQL faults"
const patience = { timeout: 20_000, interval: 10 }
const signer = ed25519Signer(newSigningKey())

describe.skipIf(url === "")(title, () => {
  const opened: Store[] = []
  const proxies: CutProxy[] = []
  const schemas: string[] = []

  const newSchema = (): string => {
    const schema = `test ${randomUUID()}`
    schemas.push(schema)
    return schema
  }
  // Each store says who it is, so that a test ends no connections but its own.
  const open = async (schema: string, at = url): Promise<Store> => {
    const named = new URL(at)
    named.searchParams.set("application_name", schema)
    const store = await openPostgresStore({ url: named.href, schema, hasher: nodeHasher, signer, pollMs: 200 })
    opened.push(store)
    return store
  }
  const openCuttable = async (schema = newSchema()): Promise<{ store: Store; wire: CutProxy; schema: string }> => {
    const wire = await openCutProxy(url)
    proxies.push(wire)
    return { store: await open(schema, wire.url), wire, schema }
  }

  afterEach(async () => {
    for (const proxy of proxies) proxy.restore()
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
  })
  afterAll(async () => {
    for (const schema of schemas) await asAdmin(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`)
  })

  it.each(["before COMMIT arrives", "after COMMIT is done"] as const)(
    "I1: commits once when the connection breaks %s",
    async (cut) => {
      const { store, wire } = await openCuttable()
      const told = listen(store)
      const cuts = vi.fn()
      wire.onCut(cuts)
      wire.cutNext(cut)
      const results = await Promise.all([store.commit(hold(pending("a"))), store.commit(hold(pending("b")))])
      expect(cuts).toHaveBeenCalledTimes(1)
      expect(results.map(({ ok }) => ok)).toEqual([true, true])
      expect((await store.events(0, 10)).map(({ subject }) => subject)).toEqual(["a", "b"])
      await vi.waitFor(() => expect(told.map(({ subject }) => subject)).toEqual(["a", "b"]), patience)
      expect((await store.commit(move(approved(pending("a"), start)))).ok).toBe(true)
      await expectSound(store)
    },
  )

  it.each([
    // It takes five seconds: one of the two with every change, both with all faults.
    ...(process.env.BYLEAVE_FAULTS === "all" ? ([{ cut: "before COMMIT arrives", kept: false }] as const) : []),
    { cut: "after COMMIT is done", kept: true },
  ] as const)(
    "I2: does not guess when the server is gone as well ($cut), and goes on from the truth",
    async ({ cut, kept }) => {
      const { store, wire, schema } = await openCuttable()
      wire.onCut(wire.sever)
      wire.cutNext(cut)
      const lost = await store.commit(hold(pending("a"))).catch((error: unknown) => error)
      expect(lost).toMatchObject({ name: "StoreError", code: "unavailable" })
      const elsewhere = await open(schema)
      expect((await elsewhere.approval("a")) !== undefined).toBe(kept)
      wire.restore()
      expect((await store.commit(hold(pending("b")))).ok).toBe(true)
      await expectSound(store)
    },
  )

  it("loses and doubles no event when connections are ended under it", async () => {
    const schema = newSchema()
    const stores = [await open(schema), await open(schema)]
    const told = stores.map(listen)
    const commits = Array.from({ length: 120 }, async (_, index) => {
      for (let turn = 0; turn < index % 6; turn++) await new Promise((resolve) => setImmediate(resolve))
      return stores[index % 2]?.commit(hold(pending(`e${index}`)))
    })
    const killing = (async () => {
      for (let round = 0; round < 4; round++) await endConnections(schema)
    })()
    const results = await Promise.all([...commits, killing.then(() => undefined)])
    expect(results.filter((result) => result?.ok)).toHaveLength(120)
    const [store] = stores
    const expected = (await store?.events(0, 1_000)) ?? []
    expect(new Set(expected.map(({ subject }) => subject)).size).toBe(120)
    expect(expected.map(({ seq }) => seq)).toEqual(expected.map((_, index) => index + 1))
    for (const each of told) await vi.waitFor(() => expect(each).toEqual(expected), patience)
    if (store) await expectSound(store)
  })

  it("hears of events by polling while nobody can notify it", async () => {
    const schema = newSchema()
    const { store } = await openCuttable(schema)
    const told = listen(store)
    const other = await open(schema)
    await asAdmin(
      `INSERT INTO ${pg.escapeIdentifier(schema)}.events VALUES (1, 'policy.changed', 'unannounced', ${start})`,
    )
    await asAdmin(`UPDATE ${pg.escapeIdentifier(schema)}.event_counter SET value = 1`)
    await vi.waitFor(() => expect(told.map(({ subject }) => subject)).toEqual(["unannounced"]), patience)
    await other.commit(hold(pending("a")))
    await vi.waitFor(() => expect(told.map(({ seq }) => seq)).toEqual([1, 2]), patience)
  })

  it("catches up with everything that happened while it was cut off", async () => {
    const { store, wire, schema } = await openCuttable()
    const told = listen(store)
    const other = await open(schema)
    wire.sever()
    for (const id of ["a", "b", "c"]) await other.commit(hold(pending(id)))
    await expect(store.approval("a")).rejects.toMatchObject({ code: "unavailable" })
    wire.restore()
    await vi.waitFor(() => expect(told.map(({ subject }) => subject)).toEqual(["a", "b", "c"]), patience)
  })

  it("I3: fails a change by its own values alone", async () => {
    const store = await open(newSchema())
    const bad = change({ records: [draft("call.allowed", "bad", { payload: "\0" })] })
    const results = await Promise.allSettled([hold(pending("a")), bad, hold(pending("b"))].map(store.commit))
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    await expectSound(store)
  })

  it("keeps names of any length, with NUL and lone surrogates", async () => {
    const store = await open(newSchema())
    for (const name of ["x".repeat(20_000), "a\0b", "\ud800", "\udc00"]) {
      const tool = { server: name, tool: name }
      const session = { principal: name, id: name, named: true }
      const held = pending(randomUUID(), { tool, session, principal: { id: name }, callDigest: "same" })
      const use = { principal: name, session: name, isUnasked: true } as const
      await store.commit({ ...hold(held), sessions: [newSessionRecord(session)], use })
      const key = { principal: name, session: name, server: name, tool: name, callDigest: "same" }
      expect(await store.identical(key, start)).toEqual([summaryOf(held)])
      expect(await store.approvals({ session: name, principal: name, limit: 5 })).toEqual([summaryOf(held)])
      expect(await store.session(session)).toMatchObject({ id: name })
      const within = { autoAllowedPerSession: 1 }
      expect(await store.commit(change({ use: { ...use, within } }))).toMatchObject({ conflict: "use" })
    }
  })

  it("makes no deadlock of changes that touch the same things in other orders", async () => {
    const schema = newSchema()
    const stores = await Promise.all(Array.from({ length: 4 }, () => open(schema)))
    const names = ["a", "b", "c", "d"]
    await stores[0]?.commit({
      ...hold(...names.map((id) => pending(id))),
      grants: names.map((id) => ({ put: grant(id) })),
    })
    const turned = (by: number): readonly string[] => [...names.slice(by), ...names.slice(0, by)]
    const results = await Promise.all(
      Array.from({ length: 80 }, (_, index) =>
        stores[index % 4]?.commit(
          change({
            approvals: turned(index % 4).map((id) => ({ next: approved(pending(id), start), replaces: 1 })),
            grantUses: turned((index + 1) % 4).map((id) => ({ grant: id, counted: false })),
            records: [draft("call.allowed", `r${index}`)],
          }),
        ),
      ),
    )
    expect(results.filter((result) => result?.ok)).toHaveLength(1)
  })

  it("makes a change judged by an epoch wait for one that moves it, and conflict", async () => {
    const schema = newSchema()
    const store = await open(schema)
    const { epoch } = await store.decisionState()
    const mover = new pg.Client(url)
    await mover.connect()
    await mover.query(`BEGIN; UPDATE ${pg.escapeIdentifier(schema)}.epoch SET value = value + 1`)
    const judged = store.commit(change({ epoch, records: [draft("call.allowed", "a")] }))
    const mine = `application_name = ${pg.escapeLiteral(schema)}`
    const waiting = `SELECT FROM pg_stat_activity WHERE ${mine} AND wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await mover.query(waiting)).rowCount).toBe(1), patience)
    await mover.query("COMMIT")
    await mover.end()
    expect(await judged).toEqual({ ok: false, conflict: "epoch", id: null })
  })

  it("is opened by eight at once on an empty schema", async () => {
    const schema = newSchema()
    const stores = await Promise.all(Array.from({ length: 8 }, () => open(schema)))
    const roster = await stores[0]?.roster()
    expect(roster?.writers).toEqual(stores.map(({ writer }) => writer).sort())
    if (stores[0]) await expectSound(stores[0])
  })

  it("brings an unfinished schema up to date and refuses a newer one", async () => {
    const schema = newSchema()
    const quoted = pg.escapeIdentifier(schema)
    await asAdmin(
      `CREATE SCHEMA ${quoted}; CREATE TABLE ${quoted}.meta (version bigint); INSERT INTO ${quoted}.meta VALUES (0)`,
    )
    const store = await open(schema)
    expect((await store.commit(hold(pending("a")))).ok).toBe(true)
    await asAdmin(`UPDATE ${quoted}.meta SET version = 99`)
    await expect(open(schema)).rejects.toMatchObject({ code: "too-new", message: expect.stringContaining("newer") })
  })

  it("does not sign over a roster that was tampered with", async () => {
    const schema = newSchema()
    await open(schema)
    await asAdmin(
      `UPDATE ${pg.escapeIdentifier(schema)}.roster SET doc = replace(doc, '"writers":["', '"writers":["other","')`,
    )
    const store = await open(schema)
    const { problems } = await verifyAudit(store, { hasher: nodeHasher, signer })
    expect(problems.map(({ code }) => code)).toContain("signature-bad")
  })

  it("refuses when its tables are gone", async () => {
    const schema = newSchema()
    const store = await open(schema)
    await asAdmin(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`)
    await expect(store.commit(hold(pending("a")))).rejects.toMatchObject({ code: "gone" })
    await expect(store.approval("a")).rejects.toMatchObject({ code: "gone" })
  })

  it("refuses to write where it may only read", async () => {
    const schema = newSchema()
    await open(schema)
    const readOnly = new URL(url)
    readOnly.searchParams.set("options", "-c default_transaction_read_only=on")
    await expect(open(schema, readOnly.href)).rejects.toMatchObject({ code: "read-only" })
  })

  it("refuses each change once the server has become read-only", async () => {
    const role = `byleave_${randomUUID().replaceAll("-", "")}`
    const database = new URL(url).pathname.slice(1)
    await asAdmin(
      `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT CREATE ON DATABASE ${pg.escapeIdentifier(database)} TO ${role}`,
    )
    const own = new URL(url)
    own.username = role
    own.password = "secret"
    const schema = newSchema()
    const store = await open(schema, own.href)
    await asAdmin(`ALTER ROLE ${role} SET default_transaction_read_only = on`)
    await endConnections(schema)
    await expect(store.commit(hold(pending("a")))).rejects.toMatchObject({ code: "read-only" })
    expect(await store.approval("a")).toBeUndefined()
    await asAdmin(`ALTER ROLE ${role} RESET default_transaction_read_only`)
    await endConnections(schema)
    expect((await store.commit(hold(pending("a")))).ok).toBe(true)
  })

  it.each([
    {
      name: "a wrong password",
      change: (at: URL) => Object.assign(at, { password: "wrong" }),
      says: /user or password/,
    },
    {
      name: "a missing database",
      change: (at: URL) => Object.assign(at, { pathname: "/absent" }),
      says: /no such.*database/,
    },
    {
      name: "a port nobody listens on",
      change: (at: URL) => Object.assign(at, { port: "1" }),
      says: /is unreachable/,
    },
  ])("says what is wrong with $name", async ({ change, says }) => {
    const refusal = await open(newSchema(), change(new URL(url)).href).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(StoreError)
    expect(refusal).toMatchObject({ code: "unavailable", message: expect.stringMatching(says) })
  })

  it("refuses reads and writes, and still closes, when the server stops", async () => {
    const cluster = await startThrowAwayCluster()
    if ("missing" in cluster) return
    const store = await open("byleave", cluster.url)
    await store.commit(hold(pending("a")))
    await cluster.stop()
    await expect(store.commit(hold(pending("b")))).rejects.toMatchObject({ code: "unavailable" })
    await expect(store.approval("a")).rejects.toMatchObject({ code: "unavailable" })
    await store.close()
  })
})

function listen(store: Store): StoreEvent[] {
  const told: StoreEvent[] = []
  store.subscribe((event) => told.push(event))
  return told
}

async function expectSound(store: Store): Promise<void> {
  const report = await verifyAudit(store, { hasher: nodeHasher, signer })
  expect(report.problems).toEqual([])
}

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Ends every connection of every store on this schema, listeners included. */
async function endConnections(schema: string): Promise<void> {
  const mine = `application_name = ${pg.escapeLiteral(schema)}`
  await asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${mine}`)
}
