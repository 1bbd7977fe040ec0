/**
 * Works out what the changes of one batch come to, one after the other, against what is locked.
 *
 * I1. A change that conflicts, or that cannot be written, leaves no trace; the ones after it see the ones before it.
 * I2. Records are linked in the order of the changes.
 */
import {
  type Approval,
  type AuditRecord,
  type ChainHead,
  type Change,
  type CommitResult,
  type EpochMs,
  type Grant,
  type Hasher,
  headOf,
  linkRecord,
  newSessionRecord,
  type Pin,
  type SessionRecord,
  type StoredDocument,
  type StoreEventDraft,
  sessionKey,
} from "@byleave/core"
import { type DocumentRef, type DocumentVersion, documentConflict, documentKey, documentOf } from "../document-facts.ts"
import { grantConflict } from "../grant-conflict.ts"
import { movesEpoch } from "../moves-epoch.ts"

/** What the transaction holds locked: nobody else can change it before the commit. */
export type Locked = {
  readonly epoch: number
  /** Of the approvals that are there. */
  readonly versions: ReadonlyMap<string, number>
  readonly grants: ReadonlyMap<string, Grant>
  /** By `documentKey`; also expired ones, which are rows all the same. */
  readonly documents: ReadonlyMap<string, DocumentVersion>
}

export type KeptRecord = { readonly record: AuditRecord; readonly payload: string | null }

/** What a batch writes; null stands for "removed". */
export type Writes = {
  readonly approvals: Map<string, { readonly approval: Approval; readonly isNew: boolean }>
  readonly grants: Map<string, Grant | null>
  readonly pins: Map<string, Pin | null>
  readonly sessions: Map<string, SessionWrite>
  /** By `documentKey`. */
  readonly documents: Map<string, DocumentPlan>
  readonly records: KeptRecord[]
  readonly events: Array<StoreEventDraft & { readonly at: EpochMs }>
  latest: EpochMs
}

export type DocumentPlan = {
  readonly ref: DocumentRef
  readonly document: StoredDocument | null
  readonly isNew: boolean
}

/** Either a record that replaces what is there, or a count to be added to it. */
export type SessionWrite =
  | { readonly kind: "put"; readonly record: SessionRecord }
  | { readonly kind: "add"; readonly fresh: SessionRecord; readonly count: number }

export type PlannedResult = CommitResult | { readonly ok: false; readonly thrown: unknown }

export type Plan = {
  readonly results: readonly PlannedResult[]
  readonly writes: Writes
  readonly epoch: number
  readonly head: ChainHead
}

export function planBatch(changes: readonly Change[], locked: Locked, head: ChainHead, hasher: Hasher): Plan {
  const writes = emptyWrites()
  let state = { epoch: locked.epoch, head }
  const results = changes.map((change): PlannedResult => {
    const conflict = conflictOf(change, locked, writes, state.epoch)
    if (conflict !== null) return conflict
    try {
      // Whatever may throw comes before anything is written.
      const records = link(change, state.head, hasher)
      JSON.stringify([change.approvals, change.grants, change.pins, change.sessions, change.documents])
      state = { epoch: state.epoch + (movesEpoch(change) ? 1 : 0), head: records.at(-1)?.head ?? state.head }
      apply(change, records, locked, writes)
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
    documents: new Map(),
    records: [],
    events: [],
    latest: 0,
  }
}

function conflictOf(change: Change, locked: Locked, writes: Writes, epoch: number): CommitResult | null {
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
  return document === null ? null : { ok: false, conflict: "document", id: document }
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

type Linked = KeptRecord & { readonly head: ChainHead }

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
  for (const record of change.sessions ?? []) writes.sessions.set(sessionKey(record), { kind: "put", record })
  for (const write of change.documents ?? []) {
    const ref = documentOf(write)
    const key = documentKey(ref)
    const document = "put" in write ? write.put : null
    writes.documents.set(key, { ref, document, isNew: !locked.documents.has(key) })
  }
  if (change.autoAllowed !== undefined) addAutoAllowed(change.autoAllowed, writes)
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

function addAutoAllowed(session: NonNullable<Change["autoAllowed"]>, writes: Writes): void {
  const key = sessionKey(session)
  const written = writes.sessions.get(key)
  if (written?.kind === "put") {
    const record = { ...written.record, autoAllowed: written.record.autoAllowed + 1 }
    writes.sessions.set(key, { kind: "put", record })
  } else {
    writes.sessions.set(key, { kind: "add", fresh: newSessionRecord(session), count: (written?.count ?? 0) + 1 })
  }
}
