import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type Change, type Store, StoreError, verifyAudit } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { afterEach, beforeEach, expect, it } from "vitest"
import { allowedCall, change, collect, commitAll, draft, grant, hold, pending, start } from "../../contract/samples.ts"
import { openSqliteStore, type SqliteStoreOptions } from "../open-sqlite-store.ts"

const signer = ed25519Signer(newSigningKey())
const opened: Store[] = []
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-ahead-"))
  path = join(folder, "byleave.db")
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close().catch(() => undefined)
  rmSync(folder, { recursive: true, force: true })
})

it("a commit that only records is in the file beside the database, then in the database, and readers see it at once", async () => {
  const store = await open()
  await commitAll(store, allowedCall("a", {}, "{}"), allowedCall("b", {}, "{}"))
  expect(aheadOf(path)).toEqual(["a", "b"])
  expect(inDatabase()).toEqual([])
  expect(await subjects(store)).toEqual(["a", "b"])
  expect([inDatabase(), aheadOf(path)]).toEqual([["a", "b"], []])
  await commitAll(store, allowedCall("c", {}, "{}"))
  await expect.poll(inDatabase).toEqual(["a", "b", "c"])
  expect(await problems(store)).toEqual([])
  await store.close()
  expect(aheadFiles(path).filter(existsSync)).toEqual([])
})

it("I1: a power cut that undoes the transaction that took them in loses nothing that was ahead", async () => {
  const store = await open()
  await commitAll(store, allowedCall("a", {}, "{}"), allowedCall("b", {}, "{}"))
  const earlier = asLeftBehind("earlier")
  expect(await subjects(store)).toEqual(["a", "b"])
  await commitAll(store, allowedCall("c", {}, "{}"))
  for (const [at, file] of aheadFiles(path).entries()) copyFileSync(file, aheadFiles(earlier)[at] ?? "")
  const next = await open({ path: earlier })
  expect(await subjects(next)).toEqual(["a", "b", "c"])
  expect(await problems(next)).toEqual([])
})

it("whenever a process dies, in whatever round of its files, everything it confirmed is there", async () => {
  const store = await open()
  const confirmed: string[] = []
  for (let round = 0; round < 30; round++) {
    const ids = Array.from({ length: 1 + ((round * 7) % 11) }, (_, n) => `${round}-${n}`)
    await commitAll(store, ...ids.map((id) => allowedCall(id, {}, JSON.stringify(id.repeat(1 + (round % 5) * 20)))))
    confirmed.push(...ids)
    const left = asLeftBehind(`round-${round}`)
    // Readers take in; so do changes that come to disk, and the store by itself.
    if (round % 3 === 0) await subjects(store)
    if (round % 5 === 0) await commitAll(store, change({ grants: [{ put: grant(`g${round}`) }] }))
    if (round % 7 === 0) await expect.poll(() => inDatabase().length).toBe(confirmed.length)
    const next = await open({ path: left })
    expect(await subjects(next)).toEqual(confirmed)
    expect(await problems(next)).toEqual([])
    await next.close()
  }
})

it("I6: what was removed from the database is not left in the files beside it", async () => {
  const store = await open()
  await commitAll(store, allowedCall("a", {}, '{"word":"plum"}'))
  await subjects(store)
  await commitAll(store, allowedCall("b", {}, '{"word":"plum"}'))
  expect(
    aheadFiles(path)
      .map((file) => readFileSync(file, "utf8"))
      .join(),
  ).toContain("plum")
  await store.removePayloads(start + 1)
  expect(aheadFiles(path).map((file) => readFileSync(file, "utf8"))).toEqual(["", ""])
})

it("I1: every other commit is a transaction, which takes in what went ahead, in order", async () => {
  const store = await open()
  await commitAll(store, allowedCall("a", {}, "{}"), hold(pending("h")), allowedCall("b", {}, "{}"))
  const large = "x".repeat(100_000)
  await commitAll(store, allowedCall("large", {}, large))
  expect(inDatabase()).toEqual(["a", "h", "b", "large"])
  expect(aheadOf(path)).toEqual([])
  expect(await problems(store)).toEqual([])
})

it("what a process that died had committed ahead is there for whoever opens the store, once", async () => {
  const store = await open()
  await commitAll(store, allowedCall("a", {}, "{}"), allowedCall("b", {}, "{}"), allowedCall("c", {}, "{}"))
  const left = asLeftBehind()
  await store.close()
  for (const ahead of [false, true, true]) {
    const next = await open({ path: left, ahead })
    expect(await subjects(next)).toEqual(["a", "b", "c"])
    expect(await problems(next)).toEqual([])
    await next.close()
  }
})

it("odd names and arguments are as they were when they are taken in later", async () => {
  const store = await open()
  const payloads = ["{}", '{\n\t"a": "b"\n}', '"\t"', '{"é":"\\ud800","b":"\u2028"}', "[]\n"]
  const ids = ["a\tb", "a\nb", 'a"b\\c', "\ud800", "["]
  await commitAll(store, ...ids.map((id, n) => allowedCall(id, { [id]: id }, payloads[n] ?? "")))
  const left = asLeftBehind()
  const next = await open({ path: left })
  expect(await subjects(next)).toEqual(ids)
  expect(await problems(next)).toEqual([])
  const database = new DatabaseSync(left, { readOnly: true })
  const kept = database.prepare("SELECT payload FROM audit WHERE subject IS NOT NULL ORDER BY position").all()
  database.close()
  expect(kept.map(({ payload }) => payload)).toEqual(payloads)
})

it("I4, I5: a line that was not written whole, and one that does not follow, are not taken in", async () => {
  const store = await open()
  await commitAll(store, allowedCall("a", {}, "{}"), allowedCall("b", {}, "{}"), allowedCall("c", {}, "{}"))
  const [torn, altered] = [asLeftBehind("torn"), asLeftBehind("altered")]
  truncateSync(`${torn}-ahead`, readFileSync(`${torn}-ahead`).length - 1)
  writeFileSync(`${altered}-ahead`, readFileSync(`${altered}-ahead`, "utf8").replaceAll('"b"', '"B"'))
  expect(await subjects(await open({ path: torn }))).toEqual(["a", "b"])
  expect(await subjects(await open({ path: altered }))).toEqual(["a"])
})

it("I2: a judgement by an epoch that moved conflicts, whoever moved it", async () => {
  const store = await open()
  const { epoch } = await store.decisionState()
  const judged = { ...allowedCall("a", {}, "{}"), epoch }
  expect(await store.commit(judged)).toMatchObject({ ok: true })
  await commitAll(store, change({ grants: [{ put: grant("g") }] }))
  expect(await store.commit(judged)).toMatchObject({ ok: false, conflict: "epoch" })
  const again = { ...judged, epoch: (await store.decisionState()).epoch }
  expect(await store.commit(again)).toMatchObject({ ok: true })
  const other = await open({ ahead: false })
  await commitAll(other, change({ grants: [{ put: grant("h") }] }))
  expect(await store.commit(again)).toMatchObject({ ok: false, conflict: "epoch" })
})

it("I1: the use of a grant is counted, though nothing else is done than to record it", async () => {
  const store = await open()
  await commitAll(store, change({ grants: [{ put: grant("g") }] }))
  await commitAll(store, { ...allowedCall("a", {}, "{}"), grantUses: [{ grant: "g", counted: false }] })
  expect((await store.decisionState()).grants).toMatchObject([{ id: "g", timesUsed: 1 }])
})

it("I4: a limit holds over what went ahead, what a transaction wrote and what a process that died left", async () => {
  const counted = (id: string, session = "s1"): Change => {
    const use = { principal: "agent", session, isUnasked: true, within: { autoAllowedPerSession: 4 } } as const
    return { ...allowedCall(id, {}, id === "b" ? '"\t"' : "{}"), use }
  }
  const beyond = { ok: false, conflict: "use", usage: { autoAllowedInDay: 4 } }
  const store = await open()
  await commitAll(store, counted("a"))
  expect(await subjects(store)).toEqual(["a"])
  await commitAll(store, counted("b"), counted("c", "s2"))
  expect([inDatabase(), aheadOf(path)]).toEqual([["a"], ["b", "c"]])
  const left = asLeftBehind()
  await Promise.all([store.commit(counted("d")), store.commit(counted("e")), store.commit(counted("f"))])
  expect(await store.commit(counted("g", "s3"))).toMatchObject(beyond)
  expect(await subjects(store)).toEqual(["a", "b", "c", "d"])
  expect(await store.commit(counted("g", "s3"))).toMatchObject(beyond)
  await store.close()
  for (const path of [left, left]) {
    const next = await open({ path })
    const probe = { principal: "agent", within: { autoAllowedPerSession: 0 } }
    expect(await next.commit(change({ use: probe }))).toMatchObject({ usage: { autoAllowedInDay: 3 } })
    await next.close()
  }
})

it("I4: another process that counted is seen before the next call goes ahead", async () => {
  const use = { principal: "agent", isUnasked: true, within: { autoAllowedPerDay: 2 } } as const
  const store = await open()
  await commitAll(store, { ...allowedCall("a", {}, "{}"), use })
  expect(await subjects(store)).toEqual(["a"])
  const other = await open({ ahead: false })
  await commitAll(other, { ...allowedCall("b", {}, "{}"), use })
  expect(await store.commit({ ...allowedCall("c", {}, "{}"), use })).toMatchObject({ conflict: "use" })
})

it("I3: after a transaction that failed, the next commit is one", async () => {
  const store = await open({ maxBytes: 300_000 })
  await expect(store.commit(allowedCall("large", {}, "x".repeat(400_000)))).rejects.toThrow(StoreError)
  await commitAll(store, allowedCall("a", {}, "{}"))
  expect(inDatabase()).toEqual(["a"])
  await commitAll(store, allowedCall("b", {}, "{}"))
  expect([inDatabase(), aheadOf(path)]).toEqual([["a"], ["b"]])
})

it("a store that is full refuses soon after, and keeps what it confirmed", async () => {
  const store = await open({ maxBytes: 300_000 })
  const confirmed: string[] = []
  const fill = async (): Promise<never> => {
    for (;;) {
      const id = `p${confirmed.length}`
      await commitAll(store, allowedCall(id, {}, "x".repeat(5_000)))
      confirmed.push(id)
    }
  }
  await expect(fill()).rejects.toThrow(StoreError)
  await store.close().catch(() => undefined)
  const roomy = await open()
  expect(await subjects(roomy)).toEqual(confirmed)
  expect(await problems(roomy)).toEqual([])
})

it("a record whose time is not the change's own is a transaction's", async () => {
  const store = await open()
  const earlier = change({ records: [draft("call.allowed", "a")], durability: "soon" })
  await commitAll(store, { ...earlier, at: earlier.at + 5 })
  expect(inDatabase()).toEqual(["a"])
})

async function open(over: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const store = await openSqliteStore({ path, hasher: nodeHasher, signer, ahead: true, now: () => start, ...over })
  opened.push(store)
  return store
}

/** The files as they are now, as a process that died now would leave them. */
function asLeftBehind(name = "left"): string {
  const copy = join(folder, `${name}.db`)
  for (const end of ["", "-wal", "-ahead", "-ahead-2"]) copyFileSync(`${path}${end}`, `${copy}${end}`)
  return copy
}

function aheadFiles(database: string): readonly string[] {
  return [`${database}-ahead`, `${database}-ahead-2`]
}

/** Whose records are committed and not in the database. */
function aheadOf(database: string): readonly unknown[] {
  const lines = aheadFiles(database).flatMap((file) => readFileSync(file, "utf8").split("\n").slice(0, -1))
  const there = new Set(inDatabase())
  return lines
    .map((line) => (JSON.parse(line.split("\t")[0] ?? "") as unknown[])[4])
    .filter((subject) => !there.has(subject))
}

function inDatabase(): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare("SELECT subject FROM audit WHERE subject IS NOT NULL ORDER BY position").all()
  database.close()
  return rows.map(({ subject }) => subject)
}

async function subjects(store: Store): Promise<readonly unknown[]> {
  const records = await collect(store.chains())
  return records.map(({ subject }) => subject).filter((subject) => subject !== null)
}

async function problems(store: Store): Promise<readonly unknown[]> {
  return (await verifyAudit(store, { hasher: nodeHasher, signer })).problems
}
