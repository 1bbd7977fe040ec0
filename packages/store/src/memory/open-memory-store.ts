import {
  type Approval,
  type ApprovalQuery,
  type AuditQuery,
  type AuditRecord,
  anchoringDraft,
  bearsOnDecisions,
  type EpochMs,
  emptyChain,
  type Hasher,
  openingDraft,
  openStatuses,
  type RecordWithPayload,
  removalDraft,
  type Signer,
  type Store,
  type StoredDocument,
  StoreError,
  type StoreEvent,
  sessionKey,
  signHead,
  signRoster,
  summaryOf,
  utf8Length,
} from "@byleave/core"
import { dueAtOf, hasPayload, isAttachable, settledAtOf, withoutPayload } from "../approval-facts.ts"
import { type Blind, createBlind } from "../blinding.ts"
import { documentKey, hasExpired } from "../document-facts.ts"
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
  runsToTakeUp,
} from "./agent-runs.ts"
import { appendRecords, applyChange } from "./apply-change.ts"
import { compare, newestFirst, oldestFirst } from "./in-order.ts"
import {
  type Chain,
  type KeptRecord,
  lastEvent,
  type MemoryDatabase,
  newMemoryDatabase,
  tellEvents,
} from "./memory-database.ts"

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
    approval: (id) => whileOpen(() => database.approvals.get(id)),
    approvals: (query) => whileOpen(() => newestApprovals(database, query).map(summaryOf)),
    countApprovals: (query) => whileOpen(() => matching(database, query).length),
    openSessions: (limit) => whileOpen(() => openSessions(database).slice(0, limit)),
    identical: (key, settledSince) =>
      whileOpen(() =>
        matching(database, key)
          .filter((found) => isFor(found, key.callDigest, settledSince))
          .sort(oldestFirst),
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

function sortedChains(database: MemoryDatabase): readonly Chain[] {
  return [...database.chains.values()].sort((a, b) => compare(a.head.writer, b.head.writer))
}

type Filter = Omit<ApprovalQuery, "limit" | "after">

function matching(database: MemoryDatabase, query: Filter): Approval[] {
  return [...database.approvals.values()].filter((approval) => matches(approval, query))
}

function matches(approval: Approval, query: Filter): boolean {
  const settledAt = settledAtOf(approval)
  return (
    (query.statuses === undefined || query.statuses.includes(approval.status)) &&
    (query.principal === undefined || query.principal === approval.principal.id) &&
    (query.session === undefined || query.session === approval.session.id) &&
    (query.server === undefined || query.server === approval.tool.server) &&
    (query.tool === undefined || query.tool === approval.tool.tool) &&
    (query.createdSince === undefined || query.createdSince <= approval.createdAt) &&
    (query.settledSince === undefined || (settledAt !== null && query.settledSince <= settledAt))
  )
}

function openSessions(database: MemoryDatabase): Awaited<ReturnType<Store["openSessions"]>> {
  const open = matching(database, { statuses: openStatuses }).sort(newestFirst)
  return [...Map.groupBy(open, ({ session }) => sessionKey(session)).values()].flatMap((approvals) => {
    const [newest] = approvals
    const waiting = approvals.filter(({ status }) => status === "pending").length
    return newest === undefined ? [] : [{ session: newest.session, waiting }]
  })
}

function newestApprovals(database: MemoryDatabase, query: ApprovalQuery): readonly Approval[] {
  const { after } = query
  return matching(database, query)
    .filter((found) => after === undefined || oldestFirst(found, after) < 0)
    .sort(newestFirst)
    .slice(0, query.limit)
}

function isFor(approval: Approval, callDigest: string, settledSince: EpochMs): boolean {
  return (
    approval.callDigest === callDigest &&
    isAttachable(approval) &&
    (settledAtOf(approval) ?? Number.POSITIVE_INFINITY) >= settledSince
  )
}

function dueApprovals(database: MemoryDatabase, now: EpochMs, limit: number): readonly Approval[] {
  return [...database.approvals.values()]
    .map((approval) => ({ approval, dueAt: dueAtOf(approval) ?? Number.POSITIVE_INFINITY }))
    .filter(({ dueAt }) => dueAt <= now)
    .sort((a, b) => a.dueAt - b.dueAt || compare(a.approval.id, b.approval.id))
    .slice(0, limit)
    .map(({ approval }) => approval)
}

function newestRecords(database: MemoryDatabase, query: AuditQuery): readonly RecordWithPayload[] {
  const { types, subject, after } = query
  const subjects = query.subjects === undefined ? null : new Set<string | null>(query.subjects)
  return allRecords(database)
    .filter(({ record }) => types === undefined || types.includes(record.type))
    .filter(({ record }) => subject === undefined || record.subject === subject)
    .filter(({ record }) => subjects === null || subjects.has(record.subject))
    .filter(({ record }) => after === undefined || earliestFirst(record, after) < 0)
    .sort((a, b) => earliestFirst(b.record, a.record))
    .slice(0, query.limit)
    .map((kept) => withPayload(kept, query.payloads))
}

function withPayload({ record, payload }: KeptRecord, wanted: AuditQuery["payloads"]): RecordWithPayload {
  const payloadBytes = payload === null ? null : utf8Length(payload)
  const isLeftOut = wanted === false || (wanted !== undefined && (payloadBytes ?? 0) > wanted.upTo)
  return { ...record, payload: isLeftOut ? null : payload, payloadBytes }
}

function lifeCycleSteps(database: MemoryDatabase): ReadonlyArray<Pick<AuditRecord, "subject" | "step" | "type">> {
  return allRecords(database)
    .filter(({ record }) => record.subject !== null)
    .map(({ record: { subject, step, type } }) => ({ subject, step, type }))
    .sort((a, b) => compare(a.subject ?? "", b.subject ?? "") || a.step - b.step)
}

function allRecords(database: MemoryDatabase): readonly KeptRecord[] {
  return [...database.chains.values()].flatMap((chain) => chain.records)
}

type Removed = { readonly approvals: number; readonly records: number }

function removePayloads(database: MemoryDatabase, before: EpochMs, blind: Blind): Removed {
  const old = allRecords(database).filter(({ record, payload }) => payload !== null && record.at < before)
  const removable = old.filter(({ record }) => !isOpen(database, record.subject))
  for (const kept of removable) kept.payload = null
  const settled = [...database.approvals.values()].filter((approval) => {
    const settledAt = settledAtOf(approval)
    return settledAt !== null && settledAt < before && hasPayload(approval)
  })
  for (const approval of settled) database.approvals.set(approval.id, withoutPayload(approval, blind))
  return { approvals: settled.length, records: removable.length }
}

function removeEvents(database: MemoryDatabase, before: EpochMs): void {
  const last = lastEvent(database)
  database.events = database.events.filter((event) => event.at >= before || event.seq === last)
}

function removeDocuments(database: MemoryDatabase, before: EpochMs): void {
  for (const [key, { expiresAt }] of database.documents) {
    if (expiresAt !== null && expiresAt < before) database.documents.delete(key)
  }
}

function documentsOf(
  database: MemoryDatabase,
  kind: string,
  { after, limit, now }: Parameters<Store["documents"]>[1],
): readonly StoredDocument[] {
  return [...database.documents.values()]
    .filter((found) => found.kind === kind && !hasExpired(found, now) && (after === undefined || found.id > after))
    .sort((a, b) => compare(a.id, b.id))
    .slice(0, limit)
}

function eventsAfter(database: MemoryDatabase, after: number, limit: number): readonly StoreEvent[] {
  const first = database.events.findLastIndex(({ seq }) => seq <= after) + 1
  return database.events.slice(first, first + limit)
}

function isOpen(database: MemoryDatabase, subject: string | null): boolean {
  const approval = subject === null ? undefined : database.approvals.get(subject)
  return approval !== undefined && settledAtOf(approval) === null
}

type RecordPosition = { readonly at: EpochMs; readonly writer: string; readonly seq: number }

function earliestFirst(a: RecordPosition, b: RecordPosition): number {
  return a.at - b.at || compare(a.writer, b.writer) || a.seq - b.seq
}
