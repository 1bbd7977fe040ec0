import { randomUUID } from "node:crypto"
import {
  type Change,
  type CommitResult,
  type EpochMs,
  type Hasher,
  type Signer,
  type Store,
  StoreError,
} from "@byleave/core"
import pg from "pg"
import { mustBeStorable, mustBeWhole } from "../must-be-storable.ts"
import { type Elapsed, elapsedHere } from "../steady-time.ts"
import { createAuditReader } from "./audit-reader.ts"
import { createAnchoring } from "./commit/anchor-others.ts"
import { createChainWriter } from "./commit/chain-writer.ts"
import { createCommitQueue } from "./commit/commit-queue.ts"
import { openChain } from "./commit/open-chain.ts"
import { statementsFor } from "./commit/statements.ts"
import { everybody } from "./connection-turns.ts"
import { openConnections } from "./connections.ts"
import { type EventFeedPorts, openEventFeed } from "./event-feed.ts"
import { persistently } from "./persistently.ts"
import { createPresence } from "./presence.ts"
import { removeChunk, removeUnrecorded } from "./remove-chunk.ts"
import { createRunReader } from "./run-reader.ts"
import { createServerClock } from "./server-clock.ts"
import { createStateReader } from "./state-reader.ts"

export type PostgresStoreOptions = {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** Everything Byleave keeps is in this schema. */
  readonly schema?: string
  readonly hasher: Hasher
  readonly signer: Signer
  readonly newId?: () => string
  readonly elapsed?: Elapsed
  /** By which `Store.others` tells how old it is what was heard; best one that counts the time in which the machine sleeps. */
  readonly hearingElapsed?: Elapsed
  /** How often to look for events that no notification announced. */
  readonly pollMs?: number
  /** For whom the present work is done: whoever makes the store read much takes turns with others. */
  readonly readerOf?: () => string
}

/**
 * A store for several processes at once, on PostgreSQL 13 or newer. A change is on disk when `commit` returns, whichever
 * durability it asks for: the changes of one tick share their journey and their flush, so answering sooner gains nothing.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, schema = "byleave", hasher, signer, newId = randomUUID, pollMs = 1_000 } = options
  const quotedSchema = pg.escapeIdentifier(schema)
  const sql = statementsFor(quotedSchema)
  const channel = `byleave_${hasher.sha256(schema).slice(0, 32)}`
  const clock = createServerClock(options.elapsed ?? elapsedHere)
  const local = (): EpochMs => Date.now()
  const connections = openConnections(url, options.readerOf)
  const chainPorts = { quotedSchema, hasher, signer, clock, local }
  // A new name per attempt: a chain whose opening was committed unseen stays behind, empty and true.
  const opened = await persistently(() => connections.write((client) => openChain(client, newId(), chainPorts))).catch(
    async (cause: unknown) => {
      await connections.close()
      throw cause
    },
  )

  const { writer } = opened.head
  const state = createStateReader(connections.read, sql, hasher, quotedSchema)
  const runs = createRunReader(connections.read, sql, quotedSchema)
  const audit = createAuditReader(connections.read, sql, quotedSchema)
  const elapsed = options.elapsed ?? elapsedHere
  const presence = createPresence({ read: connections.read, sql, hasher, schema, writer, elapsed })
  // A look at events follows somebody's commit, and is for everybody.
  const readEvents: EventFeedPorts["readEvents"] = (after, limit) => state.events(after, limit, everybody)
  const { hearingElapsed = elapsed } = options
  const { client } = connections
  const feedPorts = { readEvents, client, channel, pollMs, saw: clock.saw, presence, elapsed: hearingElapsed }
  const feed = openEventFeed(opened.lastEvent, feedPorts)
  const chainWriter = createChainWriter(opened.head, {
    ...{ connections, sql, channel, hasher, signer, clock, local },
    onEvents: feed.committed,
  })
  const anchoring = createAnchoring(opened.head, opened.others, () => clock.now(local()), sql)
  const queue = createCommitQueue(async (changes) => {
    const answers = await chainWriter.commit(changes)
    if (anchoring.isDue(chainWriter.seq())) void queue.alone(() => chainWriter.record(anchoring.work)).catch(() => {})
    return answers
  })
  let closed: Promise<void> | null = null

  const open =
    <Arguments extends unknown[], Result>(method: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      if (closed !== null) throw closedError()
      return method(...args)
    }
  async function* openPages<Row>(pages: () => AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
    if (closed !== null) throw closedError()
    yield* pages()
  }
  const commit = async (change: Change): Promise<CommitResult> => {
    mustBeStorable(change)
    return queue.commit(change)
  }
  const stayAlive = async (until: EpochMs): Promise<void> => {
    mustBeWhole("The time to stay alive until", until)
    await presence.stayAlive(until)
  }
  const removePayloads = async (before: EpochMs): Promise<number> => {
    mustBeWhole("The time to remove payloads before", before)
    await removeUnrecorded(before, connections.read, sql)
    for (let total = 0; ; ) {
      const work = removeChunk(before, clock.now(local()), hasher, sql)
      const removed = await queue.alone(() => chainWriter.record(work))
      if (removed === 0) return total
      total += removed
    }
  }
  const shutDown = async (): Promise<void> => {
    // Behind every commit handed in. Without it nothing is lost but a witness: the next chain to open names this one.
    await queue.alone(() => chainWriter.record(anchoring.work).then(presence.leave)).catch(() => {})
    await feed.close()
    await connections.close()
  }
  return {
    writer,
    now: clock.now,
    others: { elapsed: hearingElapsed, heardAt: feed.heardAt, hear: open(feed.hear) },
    commit: open(commit),
    decisionState: open(state.decisionState),
    grants: open(state.grants),
    sessionState: open(state.sessionState),
    approval: open(state.approval),
    approvals: open(state.approvals),
    countApprovals: open(state.countApprovals),
    openSessions: open(state.openSessions),
    identical: open(state.identical),
    due: open(state.due),
    session: open(state.session),
    document: open(state.document),
    documents: open(state.documents),
    run: open(runs.run),
    runSummary: open(runs.runSummary),
    runs: open(runs.runs),
    countRuns: open(runs.countRuns),
    openRuns: open(runs.openRuns),
    runsToTakeUp: open(runs.runsToTakeUp),
    journal: open(runs.journal),
    lastLine: open(runs.lastLine),
    stayAlive: open(stayAlive),
    alive: open(presence.alive),
    records: open(audit.records),
    chains: () => openPages(audit.chains),
    lifeCycles: () => openPages(audit.lifeCycles),
    heads: open(audit.heads),
    roster: open(audit.roster),
    events: open((after: number, limit: number) => state.events(after, limit)),
    lastEvent: open(state.lastEvent),
    subscribe: (listener) => {
      if (closed !== null) throw closedError()
      return feed.subscribe(listener)
    },
    removePayloads: open(removePayloads),
    close: () => {
      closed ??= shutDown()
      return closed
    },
  }
}

function closedError(): StoreError {
  return new StoreError("closed", "The store is closed. Open it again to go on.")
}
