import {
  type Approval,
  bearsOnDecisions,
  type Change,
  type EpochMs,
  forgetCountsAt,
  type Grant,
  type Hasher,
  type SessionRecord,
  type SignedHead,
  type StoredDocument,
  StoreError,
  summaryOf,
} from "@byleave/core"
import type { ClientBase, QueryResult, QueryResultRow } from "pg"
import { dueAtOf, hasPayload, isAttachable, settledAtOf } from "../../approval-facts.ts"
import { type DocumentVersion, documentKey, documentOf } from "../../document-facts.ts"
import { grantSessionKey } from "../../grant-session.ts"
import { keyText, nameOf } from "../../key-text.ts"
import { movesEpoch } from "../../moves-epoch.ts"
import { sweptPerRow } from "../../use-conflict.ts"
import type { Statement } from "../connections.ts"
import { readDoc } from "../read-doc.ts"
import { lockCounts } from "./lock-counts.ts"
import { lockRuns } from "./lock-runs.ts"
import { lockWaiting } from "./lock-waiting.ts"
import type { CountWrite, Locked, Writes } from "./plan-batch.ts"
import { runRowsOf } from "./plan-runs.ts"
import type { Statements } from "./statements.ts"

/** How the transaction stands once its locks are taken. */
export type Begun = Locked & {
  /** PostgreSQL's name for the transaction, by which its fate can be asked for later. */
  readonly xact: string
  readonly serverTime: EpochMs
}

/**
 * Begins a transaction and takes every lock the changes need, in an order all writers keep: holding, epoch, approvals by id, grants
 * by id, documents by kind and id, runs by id, counts of principals and of sessions by key; sessions, this writer's chain and the event counter follow when they are written. READ COMMITTED is enough: what
 * a change is judged by is locked, and a statement that waited for a lock sees what the other transaction committed.
 */
export async function begin(
  client: ClientBase,
  changes: readonly Change[],
  hasher: Hasher,
  sql: Statements,
): Promise<Begun> {
  const approvals = distinct(changes.flatMap((change) => change.approvals?.map(({ next }) => next.id) ?? []))
  const grants = distinct(changes.flatMap(grantsOf))
  const documents = distinctDocuments(changes)
  const [, waiting, state, versions, docs, documentVersions, ofRuns, counts] = await Promise.all([
    client.query("BEGIN"),
    lockWaiting(client, changes, sql),
    run<{ epoch: number; xact: string | null; server_time: number }>(client, epochLock(changes, sql)),
    approvals.length > 0 ? run<{ id: string; version: number }>(client, sql.lockApprovals, [approvals]) : null,
    grants.length > 0 ? run<{ doc: string }>(client, sql.lockGrants, [grants]) : null,
    documents.length > 0 ? run<DocumentRow>(client, sql.lockDocuments, columns(documents, 2)) : null,
    lockRuns(client, changes, hasher, sql),
    lockCounts(client, changes, hasher, sql),
  ])
  const row = state.rows[0]
  if (row === undefined)
    throw new StoreError("corrupt", "Byleave's epoch is missing: the schema is damaged. Restore a backup.")
  if (row.xact === null) {
    throw new StoreError(
      "read-only",
      "PostgreSQL takes no writes: it is a standby, or set to read only. Point Byleave at the primary.",
    )
  }
  return {
    epoch: row.epoch,
    xact: row.xact,
    serverTime: row.server_time,
    versions: new Map(versions?.rows.map(({ id, version }) => [nameOf(id), version])),
    grants: new Map(docs?.rows.map(({ doc }) => readDoc<Grant>(doc)).map((grant) => [grant.id, grant])),
    documents: new Map(documentVersions?.rows.map(lockedDocument)),
    waiting,
    counts,
    ofRuns,
  }
}

type DocumentRow = DocumentVersion & { kind: string; id: string }

function lockedDocument({ kind, id, version, expiresAt }: DocumentRow): readonly [string, DocumentVersion] {
  return [documentKey({ kind: nameOf(kind), id: nameOf(id) }), { version, expiresAt }]
}

function distinctDocuments(changes: readonly Change[]): ReadonlyArray<readonly [string, string]> {
  const refs = changes.flatMap((change) => change.documents?.map(documentOf) ?? [])
  return [...new Map(refs.map((ref) => [documentKey(ref), [keyText(ref.kind), keyText(ref.id)] as const])).values()]
}

// A change of the epoch must wait for those judged by it and the other way round; those merely judged by it share.
function epochLock(changes: readonly Change[], sql: Statements): Statement {
  if (changes.some(movesEpoch)) return sql.beginMoving
  return changes.some((change) => change.epoch !== undefined) ? sql.beginShared : sql.beginUnlocked
}

function grantsOf(change: Change): readonly string[] {
  const written = change.grants?.map((write) => ("put" in write ? write.put.id : write.remove)) ?? []
  return [...written, ...(change.grantUses?.map(({ grant }) => grant) ?? [])]
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].map(keyText)
}

/** The final writes of every batch. */
export type BatchEnd = {
  /** Null when the epoch stays. */
  readonly epoch: number | null
  readonly head: SignedHead
  readonly channel: string
  readonly hasher: Hasher
}

/** Queues every write of the batch; what each comes to is known by the answers. The last event's number is the answer. */
export function sendWrites(client: ClientBase, writes: Writes, end: BatchEnd, sql: Statements): Promise<number | null> {
  const sent: Promise<unknown>[] = []
  const send = (statement: Statement, values: readonly unknown[], needed = true): void => {
    if (needed) sent.push(run(client, statement, values))
  }
  const approvals = [...writes.approvals.values()]
  const added = approvals.filter(({ isNew }) => isNew).map(({ approval }) => approval)
  const moved = approvals.filter(({ isNew }) => !isNew).map(({ approval }) => approval)
  const grants = splitGrants(writes, end.hasher)
  const pins = split(writes.pins, end.hasher.sha256)
  const sessions = [...writes.sessions].map(([key, record]) => sessionRow(end.hasher.sha256(key), record))
  const records = writes.records.map(({ record, payload }) => recordRow(record, payload))
  const events = writes.events.map(({ type, subject, at }) => [type, keyText(subject), at] as const)

  send(sql.moveEpoch, [end.epoch, writes.pins.size > 0], end.epoch !== null)
  send(sql.insertApprovals, approvalColumns(added, end.hasher), added.length > 0)
  send(sql.updateApprovals, approvalColumns(moved, end.hasher), moved.length > 0)
  send(sql.putGrants, columns(grants.put, 3), grants.put.length > 0)
  send(sql.removeGrants, [grants.removed], grants.removed.length > 0)
  send(sql.putPins, columns(pins.put, 2), pins.put.length > 0)
  send(sql.removePins, [pins.removed], pins.removed.length > 0)
  const documents = splitDocuments(writes)
  send(sql.insertDocuments, columns(documents.added, 5), documents.added.length > 0)
  send(sql.updateDocuments, columns(documents.moved, 5), documents.moved.length > 0)
  send(sql.removeDocuments, columns(documents.removed, 2), documents.removed.length > 0)
  const runs = runRowsOf(writes, end.hasher)
  send(sql.emptyJournals, [runs.emptied], runs.emptied.length > 0)
  send(sql.insertRuns, columns(runs.added, 16), runs.added.length > 0)
  send(sql.updateRuns, columns(runs.moved, 16), runs.moved.length > 0)
  send(sql.removeRuns, [runs.removed], runs.removed.length > 0)
  send(sql.addLines, columns(runs.lines, 6), runs.lines.length > 0)
  send(sql.putSessions, columns(sessions, 4), sessions.length > 0)
  const counts = splitCounts(writes.principalCounts, (row) => [forgetCountsAt(row), JSON.stringify(row)])
  send(sql.insertPrincipalCounts, columns(counts.added, 3), counts.added.length > 0)
  send(sql.updatePrincipalCounts, columns(counts.moved, 3), counts.moved.length > 0)
  send(sql.sweepPrincipalCounts, [writes.latest, sweptPerRow], counts.added.length > 0)
  const totals = splitCounts(writes.sessionTotals, (row) => [row.forgetAt, row.total])
  send(sql.insertSessionTotals, columns(totals.added, 3), totals.added.length > 0)
  send(sql.updateSessionTotals, columns(totals.moved, 3), totals.moved.length > 0)
  send(sql.sweepSessionTotals, [writes.latest, sweptPerRow], totals.added.length > 0)
  const { head } = end
  send(sql.addRecords, [keyText(head.writer), ...columns(records, 8)], records.length > 0)
  send(sql.moveHead, [keyText(head.writer), head.seq, head.hash, head.at, head.keyId, head.signature, writes.latest])
  const told =
    events.length > 0
      ? run<{ last: number }>(client, sql.addEvents, [...columns(events, 3), end.channel, String(writes.latest)])
      : null
  return Promise.all([told, ...sent]).then(([result]) => result?.rows[0]?.last ?? null)
}

export function run<Row extends QueryResultRow>(
  client: ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<QueryResult<Row>> {
  return client.query<Row>({ ...statement, values: [...values] })
}

/** The rows of approvals as one array per column. */
export function approvalColumns(approvals: readonly Approval[], hasher: Hasher): unknown[][] {
  return columns(
    approvals.map((approval) => approvalRow(approval, hasher)),
    16,
  )
}

function approvalRow(approval: Approval, hasher: Hasher): readonly unknown[] {
  const { id, version, status, principal, session, tool, createdAt, callDigest } = approval
  const names = [principal.id, session.id, tool.server, tool.tool]
  const summary = summaryOf(approval)
  return [
    keyText(id),
    version,
    status,
    ...names.map(keyText),
    callKey([...names, callDigest], hasher),
    createdAt,
    settledAtOf(approval),
    dueAtOf(approval),
    isAttachable(approval),
    hasPayload(approval),
    JSON.stringify(approval),
    summary.bytes,
    JSON.stringify(summary),
  ]
}

/** One hash for principal, session, server, tool and digest: names have any length, index entries have not. */
export function callKey(parts: readonly string[], hasher: Hasher): string {
  return hasher.sha256(JSON.stringify(parts))
}

function recordRow(record: Writes["records"][number]["record"], payload: string | null): readonly unknown[] {
  const subject = record.subject === null ? null : keyText(record.subject)
  return [record.seq, record.type, subject, record.step, record.at, record.text, record.hash, payload]
}

type Split = { readonly put: ReadonlyArray<readonly [string, string]>; readonly removed: readonly string[] }

function split(writes: ReadonlyMap<string, object | null>, keyOf: (name: string) => string): Split {
  const entries = [...writes].map(([name, value]) => [keyOf(name), value] as const)
  return {
    put: entries.flatMap(([key, value]) => (value === null ? [] : [[key, JSON.stringify(value)] as const])),
    removed: entries.filter(([, value]) => value === null).map(([key]) => key),
  }
}

type Rows = ReadonlyArray<readonly unknown[]>

function splitGrants({ grants }: Writes, hasher: Hasher): { readonly put: Rows; readonly removed: readonly string[] } {
  return {
    put: [...grants.values()].flatMap((grant) => (grant === null ? [] : [grantRow(grant, hasher)])),
    removed: [...grants].flatMap(([id, grant]) => (grant === null ? [keyText(id)] : [])),
  }
}

function grantRow(grant: Grant, hasher: Hasher): readonly unknown[] {
  const key = grantSessionKey(grant)
  return [keyText(grant.id), key === null ? null : hasher.sha256(key), JSON.stringify(grant)]
}

function sessionRow(key: string, record: SessionRecord): readonly unknown[] {
  return [key, bearsOnDecisions(record), record.endedAt, JSON.stringify(record)]
}

// New documents are inserted. If another process was faster, the insert fails, and the batch begins anew and finds them.
function splitDocuments({ documents }: Writes): { readonly added: Rows; readonly moved: Rows; readonly removed: Rows } {
  const plans = [...documents.values()]
  const rowsOf = (isNew: boolean): Rows =>
    plans.flatMap((plan) => (plan.document === null || plan.isNew !== isNew ? [] : [documentRow(plan.document)]))
  const removed = plans.filter(({ document }) => document === null)
  return {
    added: rowsOf(true),
    moved: rowsOf(false),
    removed: removed.map(({ ref }) => [keyText(ref.kind), keyText(ref.id)]),
  }
}

// As with documents, what is new is inserted.
function splitCounts<Row>(
  writes: ReadonlyMap<string, CountWrite<Row>>,
  valuesOf: (row: Row) => readonly unknown[],
): { readonly added: Rows; readonly moved: Rows } {
  const rowsOf = (which: boolean): Rows =>
    [...writes].flatMap(([key, { row, isNew }]) => (isNew === which ? [[key, ...valuesOf(row)]] : []))
  return { added: rowsOf(true), moved: rowsOf(false) }
}

function documentRow({ kind, id, version, expiresAt, value }: StoredDocument): readonly unknown[] {
  return [keyText(kind), keyText(id), version, expiresAt, JSON.stringify(value)]
}

function columns(rows: ReadonlyArray<readonly unknown[]>, width: number): unknown[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]))
}
