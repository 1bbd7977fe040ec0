import {
  anchoringDraft,
  bearsOnDecisions,
  type EpochMs,
  emptyChain,
  type Hasher,
  openingDraft,
  removalDraft,
  type Signer,
  type Store,
  StoreError,
  sessionKey,
  signHead,
  signRoster,
  summaryOf,
} from "@byleave/core"
import { createBlind } from "../blinding.ts"
import { documentKey, hasExpired } from "../document-facts.ts"
import { isForSession } from "../grant-session.ts"
import { oldestFirst } from "../in-order.ts"
import { mustBeStorable, mustBeWhole } from "../must-be-storable.ts"
import { signedWithinMs } from "../signed-within.ts"
import { createSteadyTime, type Elapsed, elapsedHere } from "../steady-time.ts"
import {
  journalPage,
  lastLine,
  matchingRuns,
  newestRuns,
  openRuns,
  removeEndedRuns,
  runSummaryIn,
  runsToTakeUp,
} from "./agent-runs.ts"
import { appendRecords, applyChange } from "./apply-change.ts"
import { type Chain, lastEvent, type MemoryDatabase, newMemoryDatabase, tellEvents } from "./memory-database.ts"
import {
  documentsOf,
  dueApprovals,
  eventsAfter,
  isFor,
  lifeCycleSteps,
  matching,
  newestApprovals,
  newestRecords,
  openSessions,
  sortedChains,
} from "./read-memory.ts"
import { removeDocuments, removeEndedSessions, removeEvents, removePayloads } from "./remove-old.ts"

export type MemoryStoreOptions = {
  readonly hasher: Hasher
  readonly signer: Signer
  readonly newId: () => string
  readonly now: () => EpochMs
  readonly elapsed?: Elapsed
  /** Shared by the handles that are to see the same truth; a new one unless given. */
  readonly database?: MemoryDatabase
}

const pageSize = 1_000

/** A store that lives as long as its process: for tests. */
export function openMemoryStore(options: MemoryStoreOptions): Store {
  const { hasher, signer, database = newMemoryDatabase() } = options
  const writer = options.newId()
  const chain = openChain(database, writer, options)
  const stops = new Set<() => void>()
  let closed = false

  const whileOpen = <Result>(read: () => Result): Promise<Result> =>
    new Promise((resolve) => {
      if (closed) throw closedError()
      resolve(read())
    })
  async function* pages<Row>(read: () => readonly Row[]): AsyncIterable<readonly Row[]> {
    const rows = await whileOpen(read)
    for (let from = 0; from < rows.length; from += pageSize)
      yield await whileOpen(() => rows.slice(from, from + pageSize))
  }
  const time = createSteadyTime(options.elapsed ?? elapsedHere)
  const now = (local: EpochMs): EpochMs => {
    time.saw(database.latest)
    return time.now(local)
  }

  return {
    writer,
    now,
    commit: (change) =>
      whileOpen(() => {
        mustBeStorable(change)
        const result = applyChange(database, chain, change, hasher)
        time.saw(database.latest)
        tellEvents(database)
        return result
      }),
    decisionState: () =>
      whileOpen(() => ({
        epoch: database.epoch,
        grants: [...database.grants.values()],
        pins: [...database.pins.values()],
        sessions: [...database.sessions.values()].filter(bearsOnDecisions),
      })),
    grants: () => whileOpen(() => [...database.grants.values()]),
    sessionState: (ref) =>
      whileOpen(() => ({
        epoch: database.epoch,
        record: database.sessions.get(sessionKey(ref)),
        grants: [...database.grants.values()].filter((grant) => isForSession(grant, ref)),
      })),
    approval: (id) => whileOpen(() => database.approvals.get(id)),
    approvals: (query) => whileOpen(() => newestApprovals(database, query).map(summaryOf)),
    countApprovals: (query) => whileOpen(() => matching(database, query).length),
    openSessions: (limit) => whileOpen(() => openSessions(database).slice(0, limit)),
    identical: (key, settledSince) =>
      whileOpen(() =>
        matching(database, key)
          .filter((found) => isFor(found, key.callDigest, settledSince))
          .sort(oldestFirst)
          .map(summaryOf),
      ),
    due: (at, limit) => whileOpen(() => dueApprovals(database, at, limit).map(summaryOf)),
    session: (ref) => whileOpen(() => database.sessions.get(sessionKey(ref))),
    document: (kind, id, at) =>
      whileOpen(() => {
        const found = database.documents.get(documentKey({ kind, id }))
        return found === undefined || hasExpired(found, at) ? undefined : found
      }),
    documents: (kind, query) => whileOpen(() => documentsOf(database, kind, query)),
    run: (id) => whileOpen(() => database.runs.get(id)),
    runSummary: (id) => whileOpen(() => runSummaryIn(database, id)),
    runs: (query) => whileOpen(() => newestRuns(database, query)),
    countRuns: (query) => whileOpen(() => matchingRuns(database, query).length),
    openRuns: (startedBy) => whileOpen(() => openRuns(database, startedBy)),
    runsToTakeUp: (query) => whileOpen(() => runsToTakeUp(database, query)),
    journal: (run, query) => whileOpen(() => journalPage(database, run, query)),
    lastLine: (run) => whileOpen(() => lastLine(database, run)),
    stayAlive: (until) =>
      whileOpen(() => {
        mustBeWhole("The time to stay alive until", until)
        chain.aliveUntil = until
      }),
    alive: (at) =>
      whileOpen(() => [...database.chains].filter(([, other]) => other.aliveUntil > at).map(([name]) => name)),
    records: (query) => whileOpen(() => newestRecords(database, query)),
    chains: () => pages(() => sortedChains(database).flatMap((each) => each.records.map((kept) => kept.record))),
    lifeCycles: () => pages(() => lifeCycleSteps(database)),
    heads: () => whileOpen(() => sortedChains(database).map(({ head }) => signHead(head, now(options.now()), signer))),
    roster: () => whileOpen(() => database.roster),
    events: (after, limit) => whileOpen(() => eventsAfter(database, after, limit)),
    lastEvent: () => whileOpen(() => lastEvent(database)),
    subscribe: (listener) => {
      if (closed) throw closedError()
      const remove = database.listeners.add(listener, lastEvent(database))
      stops.add(remove)
      return () => {
        stops.delete(remove)
        remove()
      }
    },
    removePayloads: (before) =>
      whileOpen(() => {
        mustBeWhole("The time to remove payloads before", before)
        // One id holds too little that is random to be a key.
        const key = hasher.sha256(options.newId() + options.newId())
        const removed = removePayloads(database, before, createBlind(key, hasher))
        removeEvents(database, before)
        removeDocuments(database, before)
        removeEndedRuns(database, before)
        removeEndedSessions(database, before)
        const count = removed.approvals + removed.records
        const at = now(options.now())
        if (count > 0) appendRecords(database, chain, [removalDraft({ before, ...removed }, at)], hasher)
        return count
      }),
    close: async () => {
      if (closed) return
      closed = true
      for (const stop of stops) stop()
      chain.aliveUntil = 0
      const others = sortedChains(database).filter((other) => other !== chain && other.records.length > 0)
      if (others.length === 0) return
      const heads = others.map((other) => other.head)
      appendRecords(database, chain, [anchoringDraft(heads, now(options.now()))], hasher)
    },
  }
}

function closedError(): StoreError {
  return new StoreError("closed", "The store is closed. Open it again to go on.")
}

function openChain(database: MemoryDatabase, writer: string, options: MemoryStoreOptions): Chain {
  const others = sortedChains(database).map((other) => other.head)
  const chain: Chain = { head: emptyChain(writer), records: [], aliveUntil: 0 }
  const at = Math.max(options.now(), database.latest)
  appendRecords(database, chain, [openingDraft(others, options.signer.keyId, at, signedWithinMs)], options.hasher)
  database.chains.set(writer, chain)
  database.roster = signRoster([...database.chains.keys()], options.signer)
  return chain
}
