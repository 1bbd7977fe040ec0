import { randomUUID } from "node:crypto"
import type { Store } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import pg from "pg"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { type CutProxy, openCutProxy } from "./cut-proxy.ts"
import { openPostgresStore } from "./open-postgres-store.ts"

const url = process.env.BYLEAVE_TEST_POSTGRES ?? ""
const title = url === "" ? "who is there (skipped: no PostgreSQL server; npm test starts one)" : "who is there"
const patience = { timeout: 25_000, interval: 50 }
const signer = ed25519Signer(newSigningKey())
const hour = 3_600_000
/** A server that has just started says nothing yet; the tests may have started it. */
const oldEnough = { timeout: 60_000 }

describe.skipIf(url === "")(title, oldEnough, () => {
  const schema = `test ${randomUUID()}`
  const opened: Store[] = []
  const proxies: CutProxy[] = []
  let passed = 0

  beforeEach(() => {
    passed = 1_000_000
  })
  afterEach(async () => {
    for (const proxy of proxies) proxy.restore()
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
  })
  afterAll(() => asAdmin(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`))

  /** Each store says who it is, so that a test ends no connections but its own. */
  async function open(name: string, at = url): Promise<Store> {
    const named = new URL(at)
    named.searchParams.set("application_name", `${schema} ${name}`)
    const elapsed = () => passed
    const store = await openPostgresStore({ url: named.href, schema, hasher: nodeHasher, signer, elapsed })
    opened.push(store)
    await store.stayAlive(store.now(Date.now()) + hour)
    return store
  }

  /** One whose connections end as they do when its process is killed. */
  async function openMortal(name: string): Promise<{ readonly writer: string; readonly die: () => void }> {
    const wire = await openCutProxy(url)
    proxies.push(wire)
    const { writer } = await open(name, wire.url)
    return { writer, die: wire.sever }
  }

  const listening = (name: string, what = "pid") =>
    asAdmin(
      `SELECT ${what} FROM pg_stat_activity
       WHERE application_name = left('${schema} ${name}', 63) AND query LIKE 'LISTEN%'`,
    )
  const cutListening = (name: string) => listening(name, "pg_terminate_backend(pid)")
  const aliveTo = (store: Store) => store.alive(store.now(Date.now()))

  it("I1: knows of a death within the lease, and takes nobody for dead whose connection merely broke", async () => {
    const here = await open("here")
    const there = await open("there")
    const mortal = await openMortal("mortal")
    expect(await aliveTo(here)).toEqual(expect.arrayContaining([here.writer, there.writer, mortal.writer]))
    mortal.die()
    await expect.poll(() => aliveTo(here), patience).not.toContain(mortal.writer)
    expect(await cutListening("there")).toBe(1)
    expect(await aliveTo(here)).toEqual(expect.arrayContaining([here.writer, there.writer]))
  })

  it("I2: a lease that has lapsed is the end, though its process still holds its lock", async () => {
    const here = await open("here")
    const there = await open("there")
    await there.stayAlive(there.now(Date.now()))
    expect(await aliveTo(here)).not.toContain(there.writer)
  })

  it("I3: whoever was cut off with the others lets leases count, until all had time to come back", async () => {
    const here = await open("here")
    const [first, second] = [await openMortal("first"), await openMortal("second")]
    first.die()
    await expect.poll(() => aliveTo(here), patience).not.toContain(first.writer)
    second.die()
    expect(await cutListening("here")).toBe(1)
    expect(await aliveTo(here)).toEqual(expect.arrayContaining([first.writer, second.writer]))
    await expect.poll(() => listening("here"), patience).toBe(1)
    expect(await aliveTo(here)).toEqual(expect.arrayContaining([first.writer, second.writer]))
    passed += 10_000
    await expect.poll(() => aliveTo(here), patience).not.toContain(second.writer)
  })
})

async function asAdmin(text: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rowCount } = await client.query(text)
  await client.end()
  return rowCount ?? 0
}
