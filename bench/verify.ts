/**
 * How fast the audit is verified, and whether memory stays flat: `node bench/verify.ts [records]`.
 * Records are made as they are read, so that none need be kept; making them is not counted.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { emptyChain, headOf, linkRecord, signHead, signRoster } from "../packages/core/src/audit/chain.ts"
import { anchoringDraft, judgedDraft, openingDraft, ranDraft } from "../packages/core/src/audit/drafts.ts"
import type { LifeCycleRow } from "../packages/core/src/audit/life-cycle-verifier.ts"
import type { AuditDraft, AuditRecord, ChainHead } from "../packages/core/src/audit/record.ts"
import { createRedactor } from "../packages/core/src/audit/redact.ts"
import { type AuditSource, verifyAudit } from "../packages/core/src/audit/verify-audit.ts"
import { nodeHasher } from "../packages/core/src/node/hasher.ts"
import { ed25519Signer, newSigningKey } from "../packages/core/src/node/signer.ts"

export type VerifyNumbers = {
  readonly records: number
  readonly recordsPerSecond: number
  /** Of the whole run, after garbage collection, from the first tenth to the last record. */
  readonly heapGrowthBytes: number
}

const writers = ["w1", "w2", "w3", "w4"]
const batchSize = 1_000
const hasher = nodeHasher
const tools = { hasher, digestKey: "bench", redactor: createRedactor() }

export async function measureVerify(records = 1_000_000): Promise<VerifyNumbers> {
  const signer = ed25519Signer(newSigningKey())
  const heads = endsOf(records)
  const watch = createWatch(records)
  const source: AuditSource = {
    chains: () => watch.chains(allChains(records)),
    lifeCycles: () => watch.lifeCycles(lifeCycles(records)),
    heads: async () => heads.map((head) => signHead(head, 0, signer)),
    roster: async () => signRoster(writers, signer),
    records: async ({ after }) => (after === undefined ? anchorRecords(records) : []),
  }
  const report = await verifyAudit(source, { hasher, signer })
  if (!report.ok || report.records < records)
    throw new Error(`The bench's own trail is wrong: ${JSON.stringify(report)}`)
  return {
    records: report.records,
    recordsPerSecond: Math.round(report.records / (watch.milliseconds() / 1_000)),
    heapGrowthBytes: watch.heapGrowth(),
  }
}

/** Adds up the time between handing out a batch and being asked for the next. */
function createWatch(records: number) {
  let milliseconds = 0
  let heapBefore = 0
  let heapAfter = 0
  async function* watched<T>(batches: Iterable<readonly T[]>): AsyncIterable<readonly T[]> {
    for (const batch of batches) {
      const started = performance.now()
      yield batch
      milliseconds += performance.now() - started
    }
  }
  async function* chains(batches: Iterable<readonly AuditRecord[]>): AsyncIterable<readonly AuditRecord[]> {
    let count = 0
    for await (const batch of watched(batches)) {
      yield batch
      count += batch.length
      if (heapBefore === 0 && count >= records / 10) heapBefore = heapAfterCollection()
    }
  }
  async function* lifeCycleBatches(batches: Iterable<readonly LifeCycleRow[]>): AsyncIterable<readonly LifeCycleRow[]> {
    yield* watched(batches)
    heapAfter = heapAfterCollection()
  }
  return {
    chains,
    lifeCycles: lifeCycleBatches,
    milliseconds: () => milliseconds,
    heapGrowth: () => heapAfter - heapBefore,
  }
}

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  collect()
  return process.memoryUsage().heapUsed
}

/** Each chain: its opening, then pairs of a judged call and its outcome, and every so often an anchor of the chain before. */
function* chainOf(index: number, records: number, before: ChainHead | undefined): Iterable<AuditRecord> {
  const writer = writers[index] as string
  const anchors = before === undefined ? [] : [before]
  let head = emptyChain(writer)
  const link = (draft: AuditDraft): AuditRecord => {
    const record = linkRecord(head, draft, hasher)
    head = headOf(record)
    return record
  }
  yield link(openingDraft(anchors, "bench", 0))
  for (let call = 0; call < records / writers.length / 2; call++) {
    const id = callId(index, call)
    yield link(judgedDraft(judgedCall(id, call), call, tools))
    yield link(ranDraft(id, { kind: "succeeded", result: null }, call, tools))
    if (call % 10_000 === 9_999) yield link(anchoringDraft(anchors, call))
  }
}

function* allChains(records: number): Iterable<readonly AuditRecord[]> {
  let before: ChainHead | undefined
  let batch: AuditRecord[] = []
  for (const index of writers.keys()) {
    let last: AuditRecord | undefined
    for (const record of chainOf(index, records, before)) {
      last = record
      batch.push(record)
      if (batch.length === batchSize) {
        yield batch
        batch = []
      }
    }
    before = last === undefined ? undefined : headOf(last)
  }
  yield batch
}

function endsOf(records: number): readonly ChainHead[] {
  const ends = new Map<string, ChainHead>()
  for (const batch of allChains(records)) for (const record of batch) ends.set(record.writer, headOf(record))
  return [...ends.values()]
}

function anchorRecords(records: number): readonly AuditRecord[] {
  const found: AuditRecord[] = []
  for (const batch of allChains(records)) found.push(...batch.filter((record) => record.subject === null))
  return found
}

function* lifeCycles(records: number): Iterable<readonly LifeCycleRow[]> {
  for (const index of writers.keys()) {
    let batch: LifeCycleRow[] = []
    for (let call = 0; call < records / writers.length / 2; call++) {
      const subject = callId(index, call)
      batch.push({ subject, step: 0, type: "call.allowed" }, { subject, step: 1, type: "run.succeeded" })
      if (batch.length >= batchSize) {
        yield batch
        batch = []
      }
    }
    yield batch
  }
}

function callId(index: number, call: number): string {
  return `${index}-${String(call).padStart(9, "0")}`
}

function judgedCall(id: string, call: number): Parameters<typeof judgedDraft>[0] {
  return {
    id,
    call: {
      tool: { server: "files", tool: "read_file" },
      args: { path: `/workspace/notes/${call}.md` },
      principal: { id: "claude" },
      session: { principal: "claude", id: "thread-17", named: true },
    },
    decision: {
      effect: "allow",
      because: { kind: "default" },
      remember: "allowed",
      approvals: 1,
      reviewers: [],
      wouldAsk: false,
      wait: null,
    },
    rule: 'allow: "files(read_*)"',
    reason: 'allowed because the rule allow: "files(read_*)" matches files(read_file)',
    policy: "4f1d6c1f0a3b",
    mode: "ask",
    callDigest: "9b0c5f4d2f8a7c6e5d4c3b2a19080706f5e4d3c2b1a09f8e7d6c5b4a39281706",
    fingerprint: "1f2e3d4c5b6a79880716253443526170f1e2d3c4b5a69788796a5b4c3d2e1f00",
  }
}

if (import.meta.main) {
  const { records, recordsPerSecond, heapGrowthBytes } = await measureVerify(Number(process.argv[2] ?? 1_000_000))
  console.log(`verified ${records} records at ${recordsPerSecond} records/s`)
  console.log(`heap grew by ${(heapGrowthBytes / 1024 / 1024).toFixed(2)} MB`)
}
