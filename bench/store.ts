import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Change, Store } from "@byleave/core"
import { verifyAudit } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { openKeys, openSqliteStore } from "@byleave/store/sqlite"
import { allowedCall, hold, pending, start } from "../packages/store/src/contract/samples.ts"

/** One line of the table: what was measured, what came out, and the processor time each took where that says more. */
export type Measured = { readonly what: string; readonly result: string; readonly cpu?: string }

const args = '{"path":"/workspace/drafts/notes.txt","content":"a line or two of text that an agent wants to write"}'
const body = {
  principal: "agent",
  session: "thread-4711",
  server: "files",
  tool: "read_file",
  because: "rule",
  rule: "files(read_*)",
  reason: "allowed by rules[3]: allow files(read_*)",
  policy: "3f1c9d0b8a77",
  digest: "8d1f0c7e2b9a4d3f8d1f0c7e2b9a4d3f8d1f0c7e2b9a4d3f8d1f0c7e2b9a4d3f",
  fingerprint: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
}

/** How fast the SQLite store commits, lists and reads for verification, on a real file. */
export async function benchStore(): Promise<readonly Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  try {
    const { signer } = openKeys(folder)
    const store = await openSqliteStore({ path: join(folder, "byleave.db"), hasher: nodeHasher, signer })
    const measured = [
      flushes(join(folder, "flushed"), 300),
      await fullCommits(store, 6_000, 1),
      await fullCommits(store, 20_000, 64),
      await soonCommits(store, 200_000),
      ...(await waiting(store, 100_000)),
      await verification(store, signer),
    ]
    await store.close()
    return measured
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let ids = 0
const newId = (): string => `${(start + ids++).toString(36)}-${Math.random().toString(36).slice(2)}`

/** The best that the disk can do, to compare the other numbers with. */
function flushes(path: string, count: number): Measured {
  const file = openSync(path, "w")
  const block = Buffer.alloc(4_096)
  const from = performance.now()
  for (let index = 0; index < count; index++) {
    writeSync(file, block)
    fdatasyncSync(file)
  }
  const seconds = (performance.now() - from) / 1_000
  closeSync(file)
  return { what: "4 kB written and flushed to this disk", result: perSecond(count, seconds) }
}

async function fullCommits(store: Store, count: number, inFlight: number): Promise<Measured> {
  return await rate(`held calls committed in full, ${inFlight} in flight`, count, () =>
    inParallel(count, inFlight, () => store.commit(hold(pending(newId())))),
  )
}

async function soonCommits(store: Store, count: number): Promise<Measured> {
  const { epoch } = await store.decisionState()
  const next = (): Change => ({ ...allowedCall(newId(), body, args), epoch })
  return await rate("allowed calls recorded, 64 in flight", count, () =>
    inParallel(count, 64, () => store.commit(next())),
  )
}

async function waiting(store: Store, count: number): Promise<readonly Measured[]> {
  const before = heap()
  await inParallel(count / 100, 4, () => store.commit(hold(...Array.from({ length: 100 }, () => pending(newId())))))
  const kept = (heap() - before) / count
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    times.push(await timed(() => store.approvals({ statuses: ["pending"], limit: 50 })))
  }
  return [
    { what: `newest 50 of ${count} waiting, median`, result: milliseconds(median(times)) },
    { what: `newest 50 of ${count} waiting, slowest of 20`, result: milliseconds(Math.max(...times)) },
    { what: "process memory per waiting call", result: `${Math.max(0, Math.round(kept))} B` },
  ]
}

async function verification(store: Store, signer: Parameters<typeof verifyAudit>[1]["signer"]): Promise<Measured> {
  const { records } = await verifyAudit(store, { hasher: nodeHasher, signer })
  return await rate(`audit of ${records} records verified`, records, () =>
    verifyAudit(store, { hasher: nodeHasher, signer }),
  )
}

async function rate(what: string, count: number, work: () => Promise<unknown>): Promise<Measured> {
  const before = process.cpuUsage()
  const seconds = await timed(work)
  const { user, system } = process.cpuUsage(before)
  return { what, result: perSecond(count, seconds), cpu: `${((user + system) / count).toFixed(1)} µs` }
}

async function inParallel(count: number, inFlight: number, work: () => Promise<unknown>): Promise<void> {
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1_000
}

function heap(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function perSecond(count: number, seconds: number): string {
  return `${Math.round(count / seconds).toLocaleString("en")}/s`
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1_000).toFixed(2)} ms`
}

if (import.meta.main) {
  for (const { what, result, cpu = "" } of await benchStore()) {
    console.log(`${what.padEnd(50)} ${result.padStart(12)} ${cpu.padStart(12)}`)
  }
}
