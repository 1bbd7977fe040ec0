import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { type Store, verifyAudit } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { afterEach, beforeEach, expect, it } from "vitest"
import { collect } from "../contract/samples.ts"
import { openSqliteStore } from "./open-sqlite-store.ts"

const key = newSigningKey()
const program = fileURLToPath(new URL("./fixtures/committing-process.ts", import.meta.url))
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-processes-"))
  path = join(folder, "byleave.db")
})
afterEach(() => rmSync(folder, { recursive: true }))

it("is opened and written by processes that start together, and loses nothing", async () => {
  const running = ["a", "b", "c"].map((name) => start(name, 60))
  const printed = await Promise.all(running.map(linesOf))
  const store = await open()
  expect(await store.countApprovals({ statuses: ["pending"] })).toBe(180)
  expect(printed.flat()).toHaveLength(180)
  await expectWhole(store, 4)
  await store.close()
})

it("has everything that was confirmed before its process was killed, and verifies", async () => {
  const confirmed: string[] = []
  for (const [name, kills] of [
    ["a", 3],
    ["b", 11],
    ["c", 40],
  ] as const) {
    const child = start(name, 1_000_000)
    confirmed.push(...(await linesUntilKilled(child, kills)))
  }
  const store = await open()
  for (const id of confirmed) expect(await store.approval(id), id).toBeDefined()
  const subjects = new Set((await collect(store.chains())).map((record) => record.subject))
  for (const id of confirmed) expect(subjects.has(`${id} allowed`), id).toBe(true)
  await expectWhole(store, 4)
  await store.close()
})

it("has what was confirmed ahead before its process was killed, and verifies", async () => {
  const confirmed: string[] = []
  for (const kills of [1, 7, 60]) {
    confirmed.push(...(await linesUntilKilled(start(`k${kills}-`, 1_000_000, "ahead"), kills)))
  }
  const store = await open()
  const subjects = new Set((await collect(store.chains())).map((record) => record.subject))
  for (const id of confirmed) expect(subjects.has(`${id} allowed`), id).toBe(true)
  await expectWhole(store, 4)
  await store.close()
})

function start(name: string, count: number, how = ""): ChildProcess {
  const args = [program, path, name, String(count), key, how]
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
}

function open(): Promise<Store> {
  return openSqliteStore({ path, hasher: nodeHasher, signer: ed25519Signer(key) })
}

async function linesOf(child: ChildProcess): Promise<readonly string[]> {
  return await linesUntilKilled(child, Number.POSITIVE_INFINITY)
}

/** The lines of a process that is killed once it has printed so many. */
async function linesUntilKilled(child: ChildProcess, kills: number): Promise<readonly string[]> {
  if (child.stdout === null) throw new Error("no output to read")
  const exited = once(child, "exit")
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (lines.length >= kills) child.kill("SIGKILL")
  }
  await exited
  return lines
}

async function expectWhole(store: Store, chains: number): Promise<void> {
  const report = await verifyAudit(store, { hasher: nodeHasher, signer: ed25519Signer(key) })
  expect(report).toMatchObject({ problems: [], chains })
}
