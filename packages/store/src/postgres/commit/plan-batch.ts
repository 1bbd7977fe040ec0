/**
 * Works out what the changes of one batch come to, one after the other, against what is locked.
 *
 * I1. A change that conflicts, or that cannot be written, leaves no trace; the ones after it see the ones before it.
 * I2. Records are linked in the order of the changes.
 */
import {
  type AgentRun,
  type Approval,
  type AuditRecord,
  addToTotal,
  addUse,
  type CallUse,
  type ChainHead,
  type Change,
  type CommitResult,
  credentialOf,
  type EpochMs,
  type Grant,
  type Hasher,
  type HeldCount,
  headOf,
  isCounted,
  linkRecord,
  type Pin,
  type PrincipalCounts,
  type SessionRecord,
  type SessionTotal,
  type StoredDocument,
  type StoreEventDraft,
  sessionKey,
  summaryOf,
  type UsageCounts,
} from "@byleave/core"
import {
  type DocumentRef,
  type DocumentVersion,
  documentConflict,
  documentKey,
  documentOf,
} from "../../document-facts.ts"
import { grantConflict } from "../../grant-conflict.ts"
import { heldConflict, isOfAgent, type WaitingCounts } from "../../held-limit.ts"
import { movesEpoch } from "../../moves-epoch.ts"
import { heldOf, runConflict } from "../../run-facts.ts"
import { useConflict } from "../../use-conflict.ts"
import { countKeys, type LockedCounts } from "./lock-counts.ts"
import type { LockedRuns } from "./lock-runs.ts"
import { type LockedWaiting, starterKey } from "./lock-waiting.ts"
import { applyRuns, currentRun, isLineThere, noRunWrites, type RunWrites } from "./plan-runs.ts"

/** The rows that the transaction has locked: no other transaction can change them before the commit. */
export type Locked = {
  readonly epoch: number
  /** Of the approvals that are there. */
  readonly versions: ReadonlyMap<string, number>
  readonly grants: ReadonlyMap<string, Grant>
  /** By `documentKey`; also expired ones, which are rows all the same. */
  readonly documents: ReadonlyMap<string, DocumentVersion>
  /** Null where no change of the batch is limited by it. */
  readonly waiting: LockedWaiting | null
  readonly counts: LockedCounts
  readonly ofRuns: LockedRuns
}

export type BatchRecord = { readonly record: AuditRecord; readonly payload: string | null }

/** The writes of a batch; null stands for "removed". */
export type Writes = RunWrites & {
  readonly approvals: Map<string, { readonly approval: Approval; readonly isNew: boolean }>
  readonly grants: Map<string, Grant | null>
  readonly pins: Map<string, Pin | null>
  readonly sessions: Map<string, SessionRecord>
  /** By `countKeys`, as the totals. */
  readonly principalCounts: Map<string, CountWrite<PrincipalCounts>>
  readonly sessionTotals: Map<string, CountWrite<SessionTotal>>
  /** By `documentKey`. */
  readonly documents: Map<string, DocumentPlan>
  readonly records: BatchRecord[]
  readonly events: Array<StoreEventDraft & { readonly at: EpochMs }>
  latest: EpochMs
}

export type DocumentPlan = {
  readonly ref: DocumentRef
  readonly document: StoredDocument | null
  readonly isNew: boolean
}

export type CountWrite<Row> = { readonly row: Row; readonly isNew: boolean }

export type PlannedResult = CommitResult | { readonly ok: false; readonly thrown: unknown }

export type BatchPlan = {
  readonly results: readonly PlannedResult[]
  readonly writes: Writes
  readonly epoch: number
  readonly head: ChainHead
}

export function planBatch(changes: readonly Change[], locked: Locked, head: ChainHead, hasher: Hasher): BatchPlan {
  const writes = emptyWrites()
  let state = { epoch: locked.epoch, head }
  const results = changes.map((change): PlannedResult => {
    const conflict = conflictOf(change, locked, writes, state.epoch, hasher)
    if (conflict !== null) return conflict
    try {
      // Every step that may throw comes before anything is written.
      const records = link(change, state.head, hasher)
      JSON.stringify([change.approvals, change.grants, change.pins, change.sessions, change.documents, change.runs])
      state = { epoch: state.epoch + (movesEpoch(change) ? 1 : 0), head: records.at(-1)?.head ?? state.head }
      apply(change, records, locked, writes)
      if (change.use !== undefined) count(change.use, change.at, locked, writes, hasher)
      return { ok: true, epoch: state.epoch }
    } catch (thrown) {
      return { ok: false, thrown }
    }
  })
  return { results, writes, ...state }
}

function pinKey(tool: { readonly server: string; readonly tool: string }): string {
  return JSON.stringify([tool.server, tool.tool])
}

export function emptyWrites(): Writes {
  return {
    approvals: new Map(),
    grants: new Map(),
    pins: new Map(),
    sessions: new Map(),
    principalCounts: new Map(),
    sessionTotals: new Map(),
    documents: new Map(),
    ...noRunWrites(),
    records: [],
    events: [],
    latest: 0,
  }
}

function conflictOf(
  change: Change,
  locked: Locked,
  writes: Writes,
  epoch: number,
  hasher: Hasher,
): CommitResult | null {
  if (change.epoch !== undefined && change.epoch !== epoch) return { ok: false, conflict: "epoch", id: null }
  for (const { next, replaces } of change.approvals ?? []) {
    const version = writes.approvals.get(next.id)?.approval.version ?? locked.versions.get(next.id) ?? null
    if (version !== replaces) return { ok: false, conflict: "approval", id: next.id }
  }
  const id = grantConflict(change, (grant) => {
    const found = currentGrant(grant, locked, writes)
    return found === undefined ? undefined : (found.usesLeft ?? null)
  })
  if (id !== null) return { ok: false, conflict: "grant", id }
  const document = documentConflict(change, (ref) => currentDocument(ref, locked, writes))
  if (document !== null) return { ok: false, conflict: "document", id: document }
  const run = runConflict(
    change,
    (id) => currentRun(id, locked.ofRuns, writes),
    (line) => isLineThere(line, locked.ofRuns, writes),
  )
  if (run !== null) return run
  const use = useConflict(change, (by) => currentCounts(by, locked, writes, hasher))
  return (
    use ??
    heldConflict(change, {
      around: (approval) => waitingCounts(approval, locked.waiting, writes),
      ofStarter: (run) => starterCount(run, locked.waiting, writes),
    })
  )
}

/** The waiting calls of the starter's other runs, including runs paused by earlier changes of the batch. */
function starterCount({ id, startedBy }: AgentRun, locked: LockedWaiting | null, writes: Writes): HeldCount {
  const key = starterKey(startedBy)
  let { calls, bytes } = locked?.starters.get(key) ?? { calls: 0, bytes: 0 }
  for (const { run } of writes.runs.values()) {
    if (run === null || run.id === id || starterKey(run.startedBy) !== key) continue
    const more = heldOf(run)
    calls += more.calls
    bytes += more.bytes
  }
  return { calls, bytes }
}

/** The waiting calls, including those that earlier changes of the batch added; calls that they settle count until the commit. */
function waitingCounts(held: Approval, locked: LockedWaiting | null, writes: Writes): WaitingCounts {
  const added = [...writes.approvals.values()].flatMap(({ approval, isNew }) =>
    isNew && approval.status === "pending" ? [approval] : [],
  )
  const plus = (stored: HeldCount | undefined, more: readonly Approval[]): HeldCount => ({
    calls: (stored?.calls ?? 0) + more.length,
    bytes: more.reduce((sum, each) => sum + summaryOf(each).bytes, stored?.bytes ?? 0),
  })
  const session = sessionKey(held.session)
  const principal = held.principal.id
  return {
    session: plus(
      locked?.sessions.get(session),
      added.filter((each) => sessionKey(each.session) === session),
    ),
    principal: plus(
      locked?.principals.get(principal),
      added.filter((each) => each.principal.id === principal),
    ),
    program: plus(
      locked?.programs.get(credentialOf(principal)),
      added.filter((each) => credentialOf(each.principal.id) === credentialOf(principal)),
    ),
    all: plus(locked?.all, added.filter(isOfAgent)),
  }
}

function currentDocument(ref: DocumentRef, locked: Locked, writes: Writes): DocumentVersion | undefined {
  const key = documentKey(ref)
  const written = writes.documents.get(key)
  return written === undefined ? locked.documents.get(key) : (written.document ?? undefined)
}

function currentGrant(id: string, locked: Locked, writes: Writes): Grant | undefined {
  const written = writes.grants.get(id)
  return written === undefined ? locked.grants.get(id) : (written ?? undefined)
}

type Linked = BatchRecord & { readonly head: ChainHead }

function link(change: Change, from: ChainHead, hasher: Hasher): readonly Linked[] {
  let head = from
  return change.records.map((draft) => {
    const record = linkRecord(head, draft, hasher)
    head = headOf(record)
    return { record, head, payload: draft.payload ?? null }
  })
}

function apply(change: Change, records: readonly Linked[], locked: Locked, writes: Writes): void {
  for (const { next } of change.approvals ?? []) {
    writes.approvals.set(next.id, { approval: next, isNew: !locked.versions.has(next.id) })
  }
  for (const write of change.grants ?? []) {
    if ("put" in write) writes.grants.set(write.put.id, write.put)
    else writes.grants.set(write.remove, null)
  }
  for (const use of change.grantUses ?? []) {
    const grant = currentGrant(use.grant, locked, writes)
    if (grant !== undefined) writes.grants.set(grant.id, usedGrant(grant, use.counted, change.at))
  }
  for (const write of change.pins ?? []) {
    if ("put" in write) writes.pins.set(pinKey(write.put), write.put)
    else writes.pins.set(pinKey(write.remove), null)
  }
  for (const record of change.sessions ?? []) writes.sessions.set(sessionKey(record), record)
  for (const write of change.documents ?? []) {
    const ref = documentOf(write)
    const key = documentKey(ref)
    const document = "put" in write ? write.put : null
    writes.documents.set(key, { ref, document, isNew: !locked.documents.has(key) })
  }
  applyRuns(change, locked.ofRuns, writes)
  for (const { record, payload } of records) writes.records.push({ record, payload })
  for (const event of change.events) writes.events.push({ ...event, at: change.at })
  writes.latest = records.reduce(
    (latest, { record }) => Math.max(latest, record.at),
    Math.max(writes.latest, change.at),
  )
}

function usedGrant(grant: Grant, counted: boolean, at: EpochMs): Grant {
  const used: Grant = { ...grant, lastUsedAt: at, timesUsed: grant.timesUsed + 1 }
  return counted && grant.usesLeft !== undefined ? { ...used, usesLeft: grant.usesLeft - 1 } : used
}

function currentCounts(use: CallUse, locked: Locked, writes: Writes, hasher: Hasher): UsageCounts {
  const { principal, session } = countKeys(use, hasher)
  return {
    principal: writes.principalCounts.get(principal)?.row ?? locked.counts.principals.get(principal),
    session:
      session === null ? undefined : (writes.sessionTotals.get(session)?.row ?? locked.counts.sessions.get(session)),
  }
}

function count(use: CallUse, at: EpochMs, locked: Locked, writes: Writes, hasher: Hasher): void {
  const { principal, session } = countKeys(use, hasher)
  const before = currentCounts(use, locked, writes, hasher)
  const { principals, sessions } = locked.counts
  if (isCounted(use)) {
    const row = addUse(before.principal, use, at)
    writes.principalCounts.set(principal, { row, isNew: !principals.has(principal) })
  }
  if (session === null) return
  writes.sessionTotals.set(session, { row: addToTotal(before.session, at), isNew: !sessions.has(session) })
}
