/**
 * Commits batches and keeps this process's chain.
 *
 * I1. A change is answered `ok` only when the server has said that it is committed, if need be when asked again.
 * I2. The head moves only with a commit that was done; after any other it is read again before the next one.
 * I3. A change that fails by its own values fails alone.
 */
import {
  type AuditDraft,
  type ChainHead,
  type Change,
  type EpochMs,
  emptyChain,
  type Hasher,
  headOf,
  linkRecord,
  type Signer,
  signHead,
} from "@byleave/core"
import type { ClientBase } from "pg"
import { keyText } from "../../key-text.ts"
import type { Connections } from "../connections.ts"
import { persistently } from "../persistently.ts"
import type { ServerClock } from "../server-clock.ts"
import { isAboutValues } from "../store-error-of.ts"
import { commitOutcome } from "./commit-outcome.ts"
import type { BatchResult } from "./commit-queue.ts"
import { type BatchRecord, emptyWrites, planBatch, type Writes } from "./plan-batch.ts"
import type { Statements } from "./statements.ts"
import { begin, run, sendWrites } from "./write-batch.ts"

export type ChainWriterPorts = {
  readonly connections: Connections
  readonly sql: Statements
  readonly channel: string
  readonly hasher: Hasher
  readonly signer: Signer
  readonly clock: ServerClock
  /** The local clock, against which the server's is measured. */
  readonly local: () => EpochMs
  /** Told the number of the last event once it is committed; null when only the fact is known. */
  readonly onEvents: (last: number | null) => void
}

export type ChainWriter = {
  /** The number of the last record known to be committed. */
  readonly seq: () => number
  readonly commit: (changes: readonly Change[]) => Promise<readonly BatchResult[]>
  /** Other work of one transaction, with what is to be recorded of it; nothing to record undoes it. */
  readonly record: <Result>(work: RecordedWork<Result>) => Promise<Result>
}

export type RecordedWork<Result> = (
  client: ClientBase,
) => Promise<{ readonly drafts: readonly AuditDraft[]; readonly result: Result }>

/** A transaction whose writes are known and not yet sent; null when there is nothing to write. */
type Prepared<Result> = { readonly result: Result; readonly pending: Pending | null }
type Pending = {
  readonly xact: string
  readonly writes: Writes
  readonly head: ChainHead
  readonly epoch: number | null
}

export function createChainWriter(opened: ChainHead, ports: ChainWriterPorts): ChainWriter {
  let known: ChainHead | null = opened
  let committed = opened.seq

  const attempt = <Result>(prepare: (client: ClientBase, head: ChainHead) => Promise<Prepared<Result>>) =>
    ports.connections.write(async (client) => {
      const head = known ?? (await readHead(client, opened.writer, ports.sql))
      const { result, pending } = await prepare(client, head)
      if (pending === null) {
        await client.query("ROLLBACK")
        return result
      }
      known = null
      const last = await commit(client, pending, ports)
      known = pending.head
      committed = pending.head.seq
      ports.clock.saw(pending.writes.latest)
      if (pending.writes.events.length > 0) ports.onEvents(last)
      return result
    })
  const commitTogether = (changes: readonly Change[]) =>
    persistently(() => attempt((client, head) => prepareChanges(client, head, changes, ports)))
  return {
    seq: () => committed,
    commit: (changes) => orEachAlone(changes, commitTogether),
    record: (work) => persistently(() => attempt((client, head) => prepareRecorded(client, head, work, ports))),
  }
}

async function prepareChanges(
  client: ClientBase,
  head: ChainHead,
  changes: readonly Change[],
  ports: ChainWriterPorts,
): Promise<Prepared<readonly BatchResult[]>> {
  const asked = ports.local()
  const begun = await begin(client, changes, ports.hasher, ports.sql)
  ports.clock.observe(begun.serverTime, asked, ports.local())
  const plan = planBatch(changes, begun, head, ports.hasher)
  if (!plan.results.some((result) => result.ok)) return { result: plan.results, pending: null }
  const epoch = plan.epoch === begun.epoch ? null : plan.epoch
  return { result: plan.results, pending: { xact: begun.xact, writes: plan.writes, head: plan.head, epoch } }
}

async function prepareRecorded<Result>(
  client: ClientBase,
  from: ChainHead,
  work: RecordedWork<Result>,
  ports: ChainWriterPorts,
): Promise<Prepared<Result>> {
  const { xact } = await begin(client, [], ports.hasher, ports.sql)
  const { drafts, result } = await work(client)
  if (drafts.length === 0) return { result, pending: null }
  let head = from
  const records = drafts.map((draft): BatchRecord => {
    const record = linkRecord(head, draft, ports.hasher)
    head = headOf(record)
    return { record, payload: draft.payload ?? null }
  })
  const latest = Math.max(...drafts.map(({ at }) => at))
  return { result, pending: { xact, writes: { ...emptyWrites(), records, latest }, head, epoch: null } }
}

// The writes and the commit travel together: one journey instead of two while the locks are held.
async function commit(client: ClientBase, pending: Pending, ports: ChainWriterPorts): Promise<number | null> {
  const { writes, epoch, xact } = pending
  const signedAt = ports.clock.now(Math.max(ports.local(), writes.latest))
  const head = signHead(pending.head, signedAt, ports.signer)
  const end = { epoch, head, channel: ports.channel, hasher: ports.hasher }
  const written = sendWrites(client, writes, end, ports.sql)
  const committed = client.query("COMMIT")
  return commitOutcome(written, committed, xact, ports)
}

async function readHead(client: ClientBase, writer: string, sql: Statements): Promise<ChainHead> {
  const { rows } = await run<{ seq: number; hash: string }>(client, sql.chainEnd, [keyText(writer)])
  return rows[0] === undefined ? emptyChain(writer) : { writer, ...rows[0] }
}

async function orEachAlone(
  changes: readonly Change[],
  commitTogether: (changes: readonly Change[]) => Promise<readonly BatchResult[]>,
): Promise<readonly BatchResult[]> {
  try {
    return await commitTogether(changes)
  } catch (thrown) {
    if (changes.length === 1 || !isAboutValues(thrown)) throw thrown
    const answers: BatchResult[] = []
    for (const change of changes) {
      const [answer] = await commitTogether([change]).catch((own: unknown) => [{ ok: false, thrown: own } as const])
      answers.push(answer ?? { ok: false, thrown })
    }
    return answers
  }
}
