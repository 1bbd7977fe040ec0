/**
 * The store of a browser: an IndexedDB database that outlives its pages.
 *
 * I1. A change is committed before its promise resolves and before anybody is told of it.
 * I2. Several connections may have the database open, each with a chain of its own; a conflict is judged in the transaction that writes.
 * I3. Nothing is kept in memory but the end of this connection's chain: what was recorded is read when it is asked for.
 */
import {
  type AgentRun,
  type Approval,
  type AuditDraft,
  type AuditRecord,
  anchoringDraft,
  type ChainHead,
  type Change,
  type EpochMs,
  type Hasher,
  openingDraft,
  removalDraft,
  type SessionRecord,
  type SignedHead,
  type SignedRoster,
  type Signer,
  type Store,
  type StoredDocument,
  StoreError,
  type StoreEvent,
  signHead,
} from "@byleave/core"
import { createBlind } from "../blinding.ts"
import { hasExpired } from "../document-facts.ts"
import { extendRoster } from "../extend-roster.ts"
import { mustBeStorable, mustBeWhole } from "../must-be-storable.ts"
import { signedWithinMs } from "../signed-within.ts"
import { createSteadyTime, type Elapsed, elapsedHere } from "../steady-time.ts"
import { createBroadcastFeed } from "./broadcast-feed.ts"
import { createBrowserChain, type LinkedRows } from "./browser-chain.ts"
import { commitChange, type Progress, readProgress, writeProgress } from "./commit-change.ts"
import { allTables, inTransaction, openDatabase, resultOf, type Table, type TableName } from "./database.ts"
import * as approvals from "./read-approvals.ts"
import { allGrants, decisionState, sessionState } from "./read-decision-state.ts"
import { chainPage, newestRecords, type StepsRead, stepPage } from "./read-records.ts"
import * as runs from "./read-runs.ts"
import { removePayloads } from "./remove-payloads.ts"
import { type ChainRow, documentAt, documentIn, type TextRow } from "./rows.ts"

export type IndexedDbStoreOptions = {
  /** The database's name, within the origin. */
  readonly name: string
  readonly hasher: Hasher
  readonly signer: Signer
  readonly newId: () => string
  readonly now: () => EpochMs
  readonly elapsed?: Elapsed
  readonly factory?: IDBFactory
  /** No other page or worker uses the database now (see `holdOwnership`): whoever had it open before is gone. */
  readonly isAlone?: boolean
}

const pageSize = 1_000

export async function openIndexedDbStore(options: IndexedDbStoreOptions): Promise<Store> {
  const { name, hasher, signer } = options
  const database = await openDatabase(options.factory ?? indexedDB, name)
  // Another version wants to be installed, or the person clears the browser's data: reads and writes fail from then on, and say so.
  database.onversionchange = () => database.close()
  const writer = options.newId()
  const chain = createBrowserChain(writer, hasher)
  const time = createSteadyTime(options.elapsed ?? elapsedHere)
  const now = (local: EpochMs): EpochMs => time.now(local)
  let aliveUntil = 0
  let closing: Promise<void> | null = null

  const mustBeOpen = (): void => {
    if (closing !== null) throw new StoreError("closed", "The store is closed. Open it again to go on.")
  }
  const read = async <Result>(
    names: readonly TableName[],
    work: (table: Table) => Promise<Result>,
  ): Promise<Result> => {
    mustBeOpen()
    return inTransaction(database, { mode: "readonly" }, names, work)
  }
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other: each links its records to the chain's end. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
  const write = <Result>(
    durability: IDBTransactionDurability,
    work: (
      table: Table,
    ) => Promise<{ readonly result: Result; readonly progress: Progress; readonly linked: LinkedRows | null }>,
  ): Promise<Result> =>
    inTurn(async () => {
      const written = await inTransaction(database, { mode: "readwrite", durability }, allTables, async (table) => {
        const done = await work(table)
        if (done.linked !== null) putHead(table, done.linked.head)
        return done
      })
      if (written.linked !== null) chain.moveTo(written.linked.head)
      time.saw(written.progress.latest)
      feed?.reached(written.progress.lastEvent, true)
      return written.result
    })
  const putHead = (table: Table, head: ChainHead): void => {
    const row: ChainRow = { writer, aliveUntil, head: signHead(head, now(options.now()), signer) }
    table("chains").put(row)
  }
  /** Appends records of the store's own. */
  const append = async (table: Table, drafts: readonly AuditDraft[], before?: Progress) => {
    const progress = before ?? (await readProgress(table))
    const linked = chain.link(drafts)
    for (const row of linked.rows) table("records").put(row)
    const latest = Math.max(progress.latest, ...drafts.map(({ at }) => at))
    writeProgress(table, { ...progress, latest })
    return { linked, progress: { ...progress, latest } }
  }
  const otherHeads = async (table: Table): Promise<readonly ChainHead[]> => {
    const rows = await resultOf<ChainRow[]>(table("chains").getAll())
    return rows
      .filter((row) => row.writer !== writer)
      .map(({ head: { seq, hash, writer: by } }) => ({ writer: by, seq, hash }))
  }

  let feed: ReturnType<typeof createBroadcastFeed> | null = null
  const opened = await write("strict", async (table) => {
    const progress = await readProgress(table)
    time.saw(progress.latest)
    const at = now(options.now())
    const heads = await otherHeads(table)
    const before = await documentAt<SignedRoster>(table("meta"), "roster")
    table("meta").put({ name: "roster", text: JSON.stringify(extendRoster(before, writer, signer)) })
    if (options.isAlone === true) await endOthers(table)
    const appended = await append(table, [openingDraft(heads, signer.keyId, at, signedWithinMs)], progress)
    return { ...appended, result: appended.progress }
  })
  feed = createBroadcastFeed({
    name,
    last: opened.lastEvent,
    read: async (after) => {
      const events = await readEvents(read, after, 500)
      for (const { at } of events) time.saw(at)
      return events
    },
  })

  return {
    writer,
    now,
    commit: async (change: Change) => {
      mustBeOpen()
      mustBeStorable(change)
      return write(change.durability === "full" ? "strict" : "relaxed", (table) =>
        commitChange(table, change, () => chain.link(change.records)),
      )
    },
    decisionState: () => read(["meta", "grants", "pins", "sessions"], decisionState),
    grants: () => read(["grants"], allGrants),
    sessionState: (ref) => read(["meta", "grants", "sessions"], (table) => sessionState(table, ref)),
    approval: (id) => read(["approvals"], (table) => documentAt<Approval>(table("approvals"), id)),
    approvals: (query) => read(["approvals"], (table) => approvals.newestApprovals(table, query)),
    countApprovals: (query) => read(["approvals"], (table) => approvals.countApprovals(table, query)),
    openSessions: (limit) => read(["approvals"], (table) => approvals.openSessions(table, limit)),
    identical: (key, settledSince) =>
      read(["approvals"], (table) => approvals.identicalApprovals(table, key, settledSince)),
    due: (at, limit) => read(["approvals"], (table) => approvals.dueApprovals(table, at, limit)),
    session: ({ principal, id }) =>
      read(["sessions"], (table) => documentAt<SessionRecord>(table("sessions"), [principal, id])),
    document: (kind, id, at) =>
      read(["documents"], async (table) => {
        const found = await documentAt<StoredDocument>(table("documents"), [kind, id])
        return found === undefined || hasExpired(found, at) ? undefined : found
      }),
    documents: (kind, { after, limit, now: at }) =>
      read(["documents"], async (table) => {
        const range = IDBKeyRange.bound(after === undefined ? [kind] : [kind, after], [kind, []], after !== undefined)
        const rows = await resultOf<TextRow[]>(table("documents").getAll(range))
        const found = rows.map((row) => documentIn<StoredDocument>(row))
        return found.filter((each) => !hasExpired(each, at)).slice(0, limit)
      }),
    run: (id) => read(["runs"], (table) => documentAt<AgentRun>(table("runs"), id)),
    runSummary: (id) => read(["runs"], (table) => runs.runSummaryIn(table, id)),
    runs: (query) => read(["runs"], (table) => runs.newestRuns(table, query)),
    countRuns: (query) => read(["runs"], (table) => runs.countRuns(table, query)),
    openRuns: (startedBy) => read(["runs"], (table) => runs.openRunTotals(table, startedBy)),
    runsToTakeUp: (query) => read(["runs", "waiting"], (table) => runs.runsToTakeUp(table, query)),
    journal: (run, query) => read(["journal"], (table) => runs.journalPage(table, run, query)),
    lastLine: (run) => read(["journal"], (table) => runs.lastLine(table, run)),
    stayAlive: async (until) => {
      mustBeOpen()
      mustBeWhole("The time to stay alive until", until)
      aliveUntil = until
      await inTurn(() =>
        inTransaction(database, { mode: "readwrite", durability: "relaxed" }, ["chains"], async (table) => {
          const row = await resultOf<ChainRow | undefined>(table("chains").get(writer))
          if (row !== undefined) table("chains").put({ ...row, aliveUntil: until })
        }),
      )
    },
    alive: (at) =>
      read(["chains"], async (table) => {
        const rows = await resultOf<ChainRow[]>(table("chains").getAll())
        return rows.filter((row) => row.aliveUntil > at).map((row) => row.writer)
      }),
    records: (query) => read(["records"], (table) => newestRecords(table, query)),
    chains: () => chainPages(read),
    lifeCycles: () => stepPages(read),
    heads: () =>
      read(["chains"], async (table): Promise<readonly SignedHead[]> => {
        const rows = await resultOf<ChainRow[]>(table("chains").getAll())
        return rows.map(({ head }) => head)
      }),
    roster: () => read(["meta"], (table) => documentAt<SignedRoster>(table("meta"), "roster")),
    events: (after, limit) => readEvents(read, after, limit),
    lastEvent: () => read(["meta"], async (table) => (await readProgress(table)).lastEvent),
    subscribe: (listener) => {
      mustBeOpen()
      return (feed as NonNullable<typeof feed>).subscribe(listener)
    },
    removePayloads: async (before) => {
      mustBeOpen()
      mustBeWhole("The time to remove payloads before", before)
      // One id holds too little that is random to be a key.
      const blind = createBlind(hasher.sha256(options.newId() + options.newId()), hasher)
      return write("strict", async (table) => {
        const progress = await readProgress(table)
        const removed = await removePayloads(table, before, blind, progress.lastEvent)
        const count = removed.approvals + removed.records
        if (count === 0) return { result: 0, progress, linked: null }
        const appended = await append(table, [removalDraft({ before, ...removed }, now(options.now()))], progress)
        return { ...appended, result: count }
      })
    },
    close: () => {
      closing ??= write("strict", async (table) => {
        aliveUntil = 0
        const heads = await otherHeads(table)
        const drafts = heads.length === 0 ? [] : [anchoringDraft(heads, now(options.now()))]
        const appended = await append(table, drafts)
        return { ...appended, result: undefined }
      }).finally(() => {
        feed?.stop()
        database.close()
      })
      return closing
    },
  }
}

/** Whoever had the database open before is gone, though its lease may not have lapsed. */
async function endOthers(table: Table): Promise<void> {
  for (const row of await resultOf<ChainRow[]>(table("chains").getAll())) {
    if (row.aliveUntil !== 0) table("chains").put({ ...row, aliveUntil: 0 })
  }
}

type Read = <Result>(names: readonly TableName[], work: (table: Table) => Promise<Result>) => Promise<Result>

function readEvents(read: Read, after: number, limit: number): Promise<readonly StoreEvent[]> {
  return read(["events"], (table) =>
    resultOf<StoreEvent[]>(table("events").getAll(IDBKeyRange.lowerBound(after, true), limit)),
  )
}

async function* chainPages(read: Read): AsyncIterable<readonly AuditRecord[]> {
  let after: readonly [string, number] | null = null
  for (;;) {
    const from: readonly [string, number] | null = after
    const page: readonly AuditRecord[] = await read(["records"], (table) => chainPage(table, from, pageSize))
    const end = page.at(-1)
    if (end === undefined) return
    yield page
    after = [end.writer, end.seq]
  }
}

async function* stepPages(read: Read): AsyncIterable<StepsRead["steps"]> {
  let after: IDBValidKey | null = null
  for (;;) {
    const from: IDBValidKey | null = after
    const page: StepsRead = await read(["records"], (table) => stepPage(table, from, pageSize))
    if (page.steps.length === 0) return
    yield page.steps
    after = page.last
  }
}
