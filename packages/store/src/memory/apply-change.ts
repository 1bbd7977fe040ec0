import {
  type Approval,
  type AuditDraft,
  type Change,
  type CommitResult,
  credentialOf,
  type Grant,
  type Hasher,
  type HeldCount,
  headOf,
  linkRecord,
  type StoreEvent,
  sessionKey,
  summaryOf,
} from "@byleave/core"
import { documentConflict, documentKey } from "../document-facts.ts"
import { grantConflict } from "../grant-conflict.ts"
import { heldConflict, isOfAgent, type WaitingCounts } from "../held-limit.ts"
import { movesEpoch } from "../moves-epoch.ts"
import { ownerOf, runConflict, type StoredRun } from "../run-facts.ts"
import { useConflict } from "../use-conflict.ts"
import { hasLine, openRuns, writeRuns } from "./agent-runs.ts"
import { countsOf, countUse } from "./count-use.ts"
import { type Chain, lastEvent, type MemoryDatabase } from "./memory-database.ts"

/** Makes all of a change true, or says what moved on in between and does nothing. */
export function applyChange(database: MemoryDatabase, chain: Chain, change: Change, hasher: Hasher): CommitResult {
  const conflict = conflictOf(database, change)
  if (conflict !== null) return conflict
  // Linking stringifies what callers gave and may throw: before anything is written.
  appendRecords(database, chain, change.records, hasher)
  for (const { next } of change.approvals ?? []) database.approvals.set(next.id, next)
  for (const write of change.grants ?? []) {
    if ("put" in write) database.grants.set(write.put.id, write.put)
    else database.grants.delete(write.remove)
  }
  for (const use of change.grantUses ?? []) useGrant(database, use, change.at)
  for (const write of change.pins ?? []) {
    if ("put" in write) database.pins.set(pinKey(write.put), write.put)
    else database.pins.delete(pinKey(write.remove))
  }
  for (const session of change.sessions ?? []) database.sessions.set(sessionKey(session), session)
  for (const write of change.documents ?? []) {
    if ("put" in write) database.documents.set(documentKey(write.put), write.put)
    else database.documents.delete(documentKey(write.remove))
  }
  writeRuns(database, change)
  if (change.use !== undefined) countUse(database, change.use, change.at)
  for (const draft of change.events) addEvent(database, { ...draft, seq: lastEvent(database) + 1, at: change.at })
  database.latest = Math.max(database.latest, change.at)
  if (movesEpoch(change)) database.epoch++
  return { ok: true, epoch: database.epoch }
}

function conflictOf(database: MemoryDatabase, change: Change): CommitResult | null {
  if (change.epoch !== undefined && change.epoch !== database.epoch) return { ok: false, conflict: "epoch", id: null }
  for (const { next, replaces } of change.approvals ?? []) {
    const version = database.approvals.get(next.id)?.version ?? null
    if (version !== replaces) return { ok: false, conflict: "approval", id: next.id }
  }
  const grant = grantConflict(change, (id) => {
    const stored = database.grants.get(id)
    return stored === undefined ? undefined : (stored.usesLeft ?? null)
  })
  if (grant !== null) return { ok: false, conflict: "grant", id: grant }
  const document = documentConflict(change, (ref) => database.documents.get(documentKey(ref)))
  if (document !== null) return { ok: false, conflict: "document", id: document }
  const run = runConflict(
    change,
    (id) => storedRun(database, id),
    (line) => hasLine(database, line),
  )
  if (run !== null) return run
  const use = useConflict(change, (by) => countsOf(database, by))
  const around = (approval: Approval): WaitingCounts => waitingCounts(database, approval)
  return use ?? heldConflict(change, { around, ofStarter: ({ startedBy }) => openRuns(database, startedBy).waiting })
}

function storedRun(database: MemoryDatabase, id: string): StoredRun | undefined {
  const run = database.runs.get(id)
  return run === undefined ? undefined : { version: run.version, owner: ownerOf(run) }
}

function waitingCounts(database: MemoryDatabase, { principal, session }: Approval): WaitingCounts {
  const waiting = [...database.approvals.values()].filter(({ status }) => status === "pending")
  const ofPrincipal = waiting.filter((each) => each.principal.id === principal.id)
  const ofSession = ofPrincipal.filter((each) => each.session.id === session.id)
  const ofProgram = waiting.filter((each) => credentialOf(each.principal.id) === credentialOf(principal.id))
  return {
    session: sumOf(ofSession),
    principal: sumOf(ofPrincipal),
    program: sumOf(ofProgram),
    all: sumOf(waiting.filter(isOfAgent)),
  }
}

function sumOf(approvals: readonly Approval[]): HeldCount {
  const bytes = approvals.reduce((sum, approval) => sum + summaryOf(approval).bytes, 0)
  return { calls: approvals.length, bytes }
}

export function appendRecords(
  database: MemoryDatabase,
  chain: Chain,
  drafts: readonly AuditDraft[],
  hasher: Hasher,
): void {
  let head = chain.head
  const linked = drafts.map((draft) => {
    const record = linkRecord(head, draft, hasher)
    head = headOf(record)
    return { record, payload: draft.payload ?? null }
  })
  chain.records.push(...linked)
  chain.head = head
  for (const draft of drafts) database.latest = Math.max(database.latest, draft.at)
}

function addEvent(database: MemoryDatabase, event: StoreEvent): void {
  database.events.push(event)
  database.untold.push(event)
}

function useGrant(
  database: MemoryDatabase,
  use: { readonly grant: string; readonly counted: boolean },
  at: number,
): void {
  const grant = database.grants.get(use.grant)
  if (grant === undefined) return
  const used: Grant = { ...grant, lastUsedAt: at, timesUsed: grant.timesUsed + 1 }
  const counts = use.counted && grant.usesLeft !== undefined
  database.grants.set(grant.id, counts ? { ...used, usesLeft: grant.usesLeft - 1 } : used)
}

function pinKey(tool: { readonly server: string; readonly tool: string }): string {
  return JSON.stringify([tool.server, tool.tool])
}
