import { randomUUID } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"
import {
  type AuditRecord,
  type EpochMs,
  type Hasher,
  type Signer,
  type Store,
  StoreError,
  type StoreEvent,
} from "@byleave/core"
import { mustBeStorable, mustBeWhole } from "../must-be-storable.ts"
import { type Elapsed, elapsedHere } from "../steady-time.ts"
import { openDatabase } from "./database-file.ts"
import { createEventRelay } from "./event-relay.ts"
import { watchFile } from "./file-watch.ts"
import { type LogHead, openLogHead } from "./log-head.ts"
import { openLogSync } from "./log-sync.ts"
import { createReadTurns, type FileReadTurns } from "./read-turns.ts"
import { asStoreError } from "./sqlite-error.ts"
import { type ChainTable, createChainTable } from "./tables/chain-table.ts"
import { createDocumentTable, type DocumentTable } from "./tables/document-table.ts"
import { createApprovalReader } from "./tables/read-approvals.ts"
import { createDecisionReader } from "./tables/read-decision-state.ts"
import { createRecordReader, type LifeCycleStep, type RecordReader } from "./tables/read-records.ts"
import { createRunReader } from "./tables/read-runs.ts"
import { createRunTable } from "./tables/run-table.ts"
import { createUsageTable, type UsageTable } from "./tables/usage-table.ts"
import { following, leftAhead, openAheadFiles } from "./writing/ahead-file.ts"
import { createCommitQueue } from "./writing/commit-queue.ts"
import { retryWhileBusy } from "./writing/retry-while-busy.ts"
import { createStoreWriter, type StoreWriter } from "./writing/store-writer.ts"
import { createTransaction } from "./writing/transactions.ts"

export type SqliteStoreOptions = {
  /** Of the file; made when absent, in a folder that exists. */
  readonly path: string
  readonly hasher: Hasher
  readonly signer: Signer
  readonly newId?: () => string
  readonly now?: () => EpochMs
  readonly elapsed?: Elapsed
  /** How often events of other processes are looked for, while somebody listens. With `ahead` there should be none, and it is seldom. */
  readonly pollMs?: number
  /** The file grows no larger; changes are refused instead. */
  readonly maxBytes?: number
  /** No other process uses the file while this is open, and the composition ensures that: any process that used it before is gone, however it ended. */
  readonly alone?: boolean
  /**
   * No other process changes the basis of decisions while this is open, and the composition holds a lock for it. A commit that does
   * nothing but record is then one short write to a file beside the database, which is taken in soon after.
   */
  readonly ahead?: boolean
  /** For whom the present work is done. Those who make the store read much take turns. */
  readonly readerOf?: () => string
}

/** Records are on disk well within the 50 ms that `soon` promises. */
const flushAfterMs = 35
const pageSize = 1_000

/** The embedded store: one file, safe for several writing processes. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const database = await retryWhileBusy(() => openDatabase(options))
  try {
    const chains = createChainTable(database, options.hasher)
    const documents = createDocumentTable(database)
    const runs = createRunTable(database)
    const usage = createUsageTable(database)
    const watch = watchFile(options.path)
    await retryWhileBusy(() => takeInLeft(database, chains, usage, options))
    const ahead = options.ahead === true ? openAheadFiles(options.path) : null
    const log = options.ahead === true ? openLogSync(options.path) : null
    const head = options.ahead === true ? openLogHead(options.path) : null
    const ports = { database, chains, documents, runs, usage, watch, signer: options.signer, ahead, head }
    const writer = (options.newId ?? randomUUID)()
    const times = { local: options.now ?? Date.now, elapsed: options.elapsed ?? elapsedHere }
    const write = createStoreWriter({ ...ports, ...times, writer, hasher: options.hasher, sync: log?.sync ?? null })
    await retryWhileBusy(write.openChain)
    const atEnd = async (isWritten: boolean): Promise<void> => {
      await log?.close()
      await ahead?.close(isWritten)
    }
    const store = composeStore({
      ...ports,
      writer,
      write,
      turns: createReadTurns(times.elapsed, turn, options.readerOf),
      pollMs: options.pollMs ?? (options.ahead === true ? 1_000 : 100),
      atEnd,
    })
    return options.alone
      ? { ...store, alive: async (now) => (await store.alive(now)).filter((name) => name === writer) }
      : store
  } catch (error) {
    database.close()
    throw asStoreError(error)
  }
}

/** Takes in the rows that a process which is gone had committed ahead. Another process that does the same does no harm. */
function takeInLeft(
  database: DatabaseSync,
  chains: ChainTable,
  usage: UsageTable,
  { path, hasher }: SqliteStoreOptions,
): void {
  const left = leftAhead(path)
  if (left.length === 0) return
  createTransaction(database)("full", () => {
    usage.begin(chains.takeIn(following(left, chains.hashAt, hasher)))
    usage.end()
  })
}

type Parts = {
  readonly database: DatabaseSync
  readonly chains: ChainTable
  readonly documents: DocumentTable
  readonly watch: { readonly mustHaveBeenThere: () => void }
  readonly writer: string
  readonly write: StoreWriter
  readonly pollMs: number
  readonly atEnd: (isWritten: boolean) => Promise<void>
  readonly head: LogHead | null
  readonly turns: FileReadTurns
}

function composeStore(parts: Parts): Store {
  const { database, chains, documents, watch, writer, write, pollMs, atEnd, head, turns } = parts
  const approvals = createApprovalReader(database)
  const decisions = createDecisionReader(database)
  const records = createRecordReader(database)
  const runs = createRunReader(database)
  const events = createEventRelay(database, pollMs)
  const flusher = createFlusher(write)
  const news: StoreEvent[] = []
  const queue = createCommitQueue(
    (changes) =>
      retryWhileBusy(() => {
        const committed = write.commit(changes)
        flusher.expect()
        news.push(...committed.events)
        return committed.results
      }),
    () => events.tell(news.splice(0)),
  )
  let closing: Promise<void> | null = null
  const mustBeOpen = (): void => {
    if (closing !== null) throw new StoreError("closed", "The store is closed. Open it again to go on.")
  }
  const read = async <Result>(attempt: () => Result): Promise<Result> => {
    mustBeOpen()
    return await turns(async () => {
      mustBeOpen()
      watch.mustHaveBeenThere()
      return await retryWhileBusy(attempt)
    })
  }
  const readAudit = async <Result>(attempt: () => Result): Promise<Result> => {
    await queue.hurry()
    return read(() => {
      write.takeIn()
      return attempt()
    })
  }
  const close = async (): Promise<void> => {
    events.stop()
    await queue.idle()
    flusher.stop()
    let isWritten = false
    try {
      await retryWhileBusy(write.finish)
      isWritten = true
    } finally {
      await atEnd(isWritten)
      database.close()
      head?.close()
    }
  }
  return {
    writer,
    now: write.now,
    commit: (change) => {
      try {
        mustBeOpen()
        mustBeStorable(change)
      } catch (error) {
        return Promise.reject(error)
      }
      return queue.add(change)
    },
    decisionState: () => read(decisions.state),
    grants: () => read(decisions.grants),
    sessionState: (ref) => read(() => decisions.sessionState(ref)),
    approval: (id) => read(() => approvals.byId(id)),
    approvals: (query) => read(() => approvals.newest(query)),
    countApprovals: (query) => read(() => approvals.count(query)),
    openSessions: (limit) => read(() => approvals.openSessions(limit)),
    identical: (key, settledSince) => read(() => approvals.identical(key, settledSince)),
    due: (now, limit) => read(() => approvals.due(now, limit)),
    session: (ref) => read(() => decisions.session(ref)),
    document: (kind, id, now) => read(() => documents.byId(kind, id, now)),
    documents: (kind, query) => read(() => documents.list(kind, query)),
    run: (id) => read(() => runs.byId(id)),
    runSummary: (id) => read(() => runs.summaryOf(id)),
    runs: (query) => read(() => runs.newest(query)),
    countRuns: (query) => read(() => runs.count(query)),
    openRuns: (startedBy) => read(() => runs.open(startedBy)),
    runsToTakeUp: (query) => read(() => runs.toTakeUp(query)),
    journal: (run, query) => read(() => runs.journal(run, query)),
    lastLine: (run) => read(() => runs.lastLine(run)),
    stayAlive: async (until) => {
      mustBeWhole("The time to stay alive until", until)
      await read(() => write.stayAlive(until))
    },
    alive: (now) => read(() => chains.alive(now)),
    records: (query) => readAudit(() => records.newest(query)),
    chains: () => chainPages(chains, readAudit),
    lifeCycles: () => lifeCyclePages(records, readAudit),
    heads: () => readAudit(chains.signedHeads),
    roster: () => read(chains.roster),
    events: (after, limit) => read(() => events.after(after, limit)),
    lastEvent: () => read(events.last),
    subscribe: (listener) => {
      mustBeOpen()
      try {
        return events.subscribe(listener)
      } catch (error) {
        throw asStoreError(error)
      }
    },
    removePayloads: async (before) => {
      mustBeWhole("The time to remove payloads before", before)
      for (let total = 0; ; await turn()) {
        const removed = await read(() => write.removePayloads(before))
        total += removed.approvals + removed.records
        if (removed.isAll) return total
      }
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Flushes commits to disk that were only to be there soon. */
function createFlusher(write: StoreWriter): { readonly expect: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  const expect = (): void => {
    if (isStopped || timer !== null || !write.hasUnsigned()) return
    timer = setTimeout(() => void flush(), flushAfterMs).unref()
  }
  const flush = async (): Promise<void> => {
    try {
      if (write.mayStayAhead()) await write.syncAhead()
      else {
        if (write.hasUnsigned()) await retryWhileBusy(() => (isStopped ? undefined : write.flush()))
        await write.sync()
      }
    } catch {
      // Tried again below; the next commit that meets the same trouble reports it.
    }
    timer = null
    expect()
  }
  return {
    expect,
    stop: () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Lets everything else have a turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

type Read = <Result>(attempt: () => Result) => Promise<Result>

// Page by page, each a read of its own: a read that stays open would keep the log from being folded into the file.
async function* chainPages(chains: ChainTable, read: Read): AsyncIterable<readonly AuditRecord[]> {
  for (const chain of await read(chains.lastHeads)) {
    for (let seq = 1; seq <= chain.seq; ) {
      const page = await read(() => chains.page(chain, seq, pageSize))
      if (page.length === 0) break
      yield page
      seq = (page.at(-1)?.seq ?? seq) + 1
    }
  }
}

async function* lifeCyclePages(records: RecordReader, read: Read): AsyncIterable<readonly LifeCycleStep[]> {
  let page = await read(() => records.steps(undefined, pageSize))
  while (page.steps.length > 0) {
    yield page.steps
    const { last } = page
    page = await read(() => records.steps(last, pageSize))
  }
}
