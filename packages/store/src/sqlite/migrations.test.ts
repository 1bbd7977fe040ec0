import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { runSummaryOf, summaryOf, verifyAudit } from "@byleave/core"
import { ed25519Signer, nodeHasher } from "@byleave/core/node"
import { afterEach, beforeEach, expect, it } from "vitest"
import {
  agentRun,
  begin,
  change,
  document,
  grant,
  hold,
  line,
  pausedRun,
  pending,
  pin,
  session,
  start,
} from "../contract/samples.ts"
import { fixtureKey } from "./fixtures/fixture-key.ts"
import { fixtureSql } from "./fixtures/write-fixture.ts"
import { migrations } from "./migrations.ts"
import { openSqliteStore } from "./open-sqlite-store.ts"

const ports = { hasher: nodeHasher, signer: ed25519Signer(fixtureKey) }
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-migrations-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The first version that counts in tables of its own. */
const counted = 5
const withRuns = 6
const withSessionKeys = 8

it.each(migrations.map((_, index) => index + 1))(
  "opens a store written by schema %i, with everything in it",
  async (version) => {
    const path = join(folder, "byleave.db")
    const old = new DatabaseSync(path)
    old.exec(fixture(version))
    if (version < counted) old.exec("UPDATE sessions SET auto_allowed = 1")
    const own = grant("own", { session: { principal: "agent", id: "session" } })
    old
      .prepare("INSERT INTO grants (id, uses_left, times_used, last_used_at, doc) VALUES ('own', NULL, 0, NULL, ?)")
      .run(JSON.stringify(own))
    if (version >= withSessionKeys) old.exec(`UPDATE grants SET session_key = '["agent","session"]' WHERE id = 'own'`)
    old.close()

    const store = await openSqliteStore({ path, ...ports })
    expect(await store.approval("waiting")).toEqual(pending("waiting"))
    const waiting = await store.approvals({ principal: "agent", statuses: ["pending"], limit: 5 })
    expect(waiting).toEqual([summaryOf(pending("waiting"))])
    expect(await store.commit({ ...hold(pending("more")), within: { inAll: { calls: 1 } } })).toMatchObject({
      conflict: "limit",
    })
    expect(await store.approval("done")).toMatchObject({ status: "succeeded", result: "done" })
    const state = await store.decisionState()
    expect(state.grants).toEqual([grant("grant", { usesLeft: 2, timesUsed: 1, lastUsedAt: start + 9 }), own])
    expect(await store.sessionState({ principal: "agent", id: "session" })).toMatchObject({
      record: { mode: "observe" },
      grants: [own],
    })
    expect(state.pins).toEqual([pin("files", "write_file")])
    expect(state.sessions).toEqual([session("session", { mode: "observe", modeUntil: start + 60_000, modeBy: "ada" })])
    const ada = document("reviewer", "ada", { expiresAt: start + 60_000 })
    expect(await store.document("reviewer", "ada", start)).toEqual(version < 2 ? undefined : ada)
    expect(await store.commit(change({ documents: [{ put: document("token", "t"), replaces: null }] }))).toMatchObject({
      ok: true,
    })
    const use = { principal: "agent", session: "session", within: { autoAllowedPerSession: 1 } }
    expect(await store.commit(change({ use }))).toMatchObject({ usage: { autoAllowedInSession: 1 } })
    const paused = pausedRun(agentRun("run"))
    const takeUp = { now: start, alive: [], limit: 5 }
    expect(await store.run("run")).toEqual(version < withRuns ? undefined : paused)
    expect(await store.journal("run", { after: 1, maxBytes: 99 })).toEqual(version < withRuns ? [] : [line("run", 2)])
    expect(await store.runs({ limit: 5 })).toEqual(version < withRuns ? [] : [runSummaryOf(paused)])
    expect(await store.openRuns(paused.startedBy)).toMatchObject({ waiting: { calls: version < withRuns ? 0 : 1 } })
    expect(await store.runsToTakeUp(takeUp)).toEqual([])
    expect(await store.commit(begin(agentRun("new"), { events: [] }))).toMatchObject({ ok: true })
    expect(await store.runsToTakeUp(takeUp)).toEqual([agentRun("new")])
    expect(await store.lastEvent()).toBe(4)
    expect(store.now(0)).toBeGreaterThanOrEqual(start + 9)
    expect(await store.commit(hold(pending("new")))).toMatchObject({ ok: true })
    expect(await verifyAudit(store, ports)).toMatchObject({ problems: [], chains: 3 })
    await store.close()

    const database = new DatabaseSync(path)
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: migrations.length })
    database.close()
  },
)

it("keeps the steps that were released as they were", () => {
  expect(migrations.map((step) => nodeHasher.sha256(step).slice(0, 16))).toEqual([
    "c387a03bbbb5baf9",
    "e8826d0964242bc4",
    "9f2800a2db3af7ba",
    "0df4fdc4f58e1b02",
    "28b5392d80459ec2",
    "6cf5912c341b3ffa",
    "4df9a437a72a0fe0",
    "0625779fa039c950",
  ])
})

it("has a fixture of the newest schema, as a new store has it", async () => {
  const schemaOf = (sql: string): string => sql.slice(0, sql.indexOf("INSERT INTO"))
  expect(schemaOf(fixture(migrations.length))).toBe(schemaOf(await fixtureSql()))
})

it("begins where the making of a store was cut short", async () => {
  const path = join(folder, "byleave.db")
  writeFileSync(path, "")
  const store = await openSqliteStore({ path, ...ports })
  expect(await store.commit(hold(pending("a")))).toMatchObject({ ok: true })
  await store.close()
})

function fixture(version: number): string {
  return readFileSync(new URL(`./fixtures/version-${version}.sql`, import.meta.url), "utf8")
}
