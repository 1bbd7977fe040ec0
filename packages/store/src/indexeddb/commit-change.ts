/**
 * One change in one transaction.
 *
 * I1. Everything a conflict is judged by is read in the transaction that writes, so nothing moves in between, whoever else has the database open.
 * I2. A change that conflicts writes nothing.
 */
import {
  type Approval,
  addToTotal,
  addUse,
  bearsOnDecisions,
  type CallUse,
  type Change,
  type CommitResult,
  credentialOf,
  type EpochMs,
  forgetCountsAt,
  type Grant,
  type HeldCount,
  isCounted,
  type PrincipalCounts,
  type StoredDocument,
  type StoreEvent,
} from "@byleave/core"
import { documentConflict, documentKey } from "../document-facts.ts"
import { grantConflict } from "../grant-conflict.ts"
import { heldConflict, type WaitingCounts } from "../held-limit.ts"
import { sumOf } from "../match-run.ts"
import { movesEpoch } from "../moves-epoch.ts"
import { heldOf, isSameStarter, runConflict } from "../run-facts.ts"
import { sweptPerRow, useConflict } from "../use-conflict.ts"
import type { LinkedRows } from "./browser-chain.ts"
import { resultOf, type Table } from "./database.ts"
import { keyOf, readStored, type StoredBefore } from "./read-stored.ts"
import { approvalRow, runRow, type WaitingRow, waitingRow } from "./rows.ts"

/** The counters of the store as a whole. */
export type Progress = { readonly epoch: number; readonly latest: EpochMs; readonly lastEvent: number }

export type WrittenChange = {
  readonly result: CommitResult
  readonly progress: Progress
  /** Null: nothing was written. */
  readonly linked: LinkedRows | null
}

/** `link` stringifies what callers gave and may throw: it comes before anything is written. */
export async function commitChange(table: Table, change: Change, link: () => LinkedRows): Promise<WrittenChange> {
  const before = await readProgress(table)
  const stored = await readStored(table, change)
  const conflict = conflictOf(change, before, stored)
  if (conflict !== null) return { result: conflict, progress: before, linked: null }
  const linked = link()
  writeState(table, change, stored)
  await writeUse(table, change, stored)
  for (const row of linked.rows) table("records").put(row)
  const events = change.events.map(
    (draft, index): StoreEvent => ({ ...draft, seq: before.lastEvent + index + 1, at: change.at }),
  )
  for (const event of events) table("events").put(event)
  const progress = {
    epoch: before.epoch + (movesEpoch(change) ? 1 : 0),
    latest: Math.max(before.latest, change.at, ...change.records.map(({ at }) => at)),
    lastEvent: events.at(-1)?.seq ?? before.lastEvent,
  }
  writeProgress(table, progress)
  return { result: { ok: true, epoch: progress.epoch }, progress, linked }
}

const progressName = "progress"

export async function readProgress(table: Table): Promise<Progress> {
  const row = await resultOf<(Progress & { name: string }) | undefined>(table("meta").get(progressName))
  return row ?? { epoch: 0, latest: 0, lastEvent: 0 }
}

export function writeProgress(table: Table, { epoch, latest, lastEvent }: Progress): void {
  table("meta").put({ name: progressName, epoch, latest, lastEvent })
}

function conflictOf(change: Change, { epoch }: Progress, stored: StoredBefore): CommitResult | null {
  if (change.epoch !== undefined && change.epoch !== epoch) return { ok: false, conflict: "epoch", id: null }
  for (const { next, replaces } of change.approvals ?? []) {
    if ((stored.versions.get(next.id) ?? null) !== replaces) return { ok: false, conflict: "approval", id: next.id }
  }
  const grant = grantConflict(change, (id) => {
    const found = stored.grants.get(id)
    return found === undefined ? undefined : (found.usesLeft ?? null)
  })
  if (grant !== null) return { ok: false, conflict: "grant", id: grant }
  const document = documentConflict(change, (ref) => stored.documents.get(documentKey(ref)))
  if (document !== null) return { ok: false, conflict: "document", id: document }
  const run = runConflict(
    change,
    (id) => stored.runs.get(id),
    ({ name, seq }) => stored.lines.names.has(name) || stored.lines.numbers.has(seq),
  )
  if (run !== null) return run
  const use = useConflict(change, () => ({ principal: stored.principal, session: stored.session }))
  return (
    use ??
    heldConflict(change, {
      around: (approval) => waitingAround(stored.waiting, approval),
      ofStarter: ({ startedBy }) =>
        sumOf(stored.openRuns.filter((each) => isSameStarter(each.startedBy, startedBy)).map(heldOf)),
    })
  )
}

function waitingAround(rows: readonly WaitingRow[], { principal, session }: Approval): WaitingCounts {
  const ofPrincipal = rows.filter((row) => row.principal === principal.id)
  const ofSession = ofPrincipal.filter((row) => row.session === session.id)
  const count = (waiting: readonly WaitingRow[]): HeldCount => sumOf(waiting.map(({ bytes }) => ({ calls: 1, bytes })))
  const credential = credentialOf(principal.id)
  return {
    session: count(ofSession),
    principal: count(ofPrincipal),
    program: count(rows.filter((row) => credentialOf(row.principal) === credential)),
    all: count(rows.filter((row) => row.isOfAgent)),
  }
}

function writeState(table: Table, change: Change, stored: StoredBefore): void {
  for (const { next } of change.approvals ?? []) putApproval(table, next)
  writeGrants(table("grants"), change, stored)
  for (const write of change.pins ?? []) {
    if ("put" in write) table("pins").put({ ...refOf(write.put), text: JSON.stringify(write.put) })
    else table("pins").delete([write.remove.server, write.remove.tool])
  }
  for (const session of change.sessions ?? []) {
    const { principal, id } = session
    table("sessions").put({ principal, id, isDeciding: bearsOnDecisions(session), text: JSON.stringify(session) })
  }
  for (const write of change.documents ?? []) {
    if ("put" in write) putDocument(table("documents"), write.put)
    else table("documents").delete(keyOf(write.remove))
  }
  for (const write of change.runs ?? []) {
    if ("next" in write) table("runs").put(runRow(write.next))
    else removeRun(table, write.remove)
  }
  for (const line of change.journal?.lines ?? []) table("journal").put(line)
}

export function putApproval(table: Table, approval: Approval): void {
  table("approvals").put(approvalRow(approval))
  if (approval.status === "pending") table("waiting").put(waitingRow(approval))
  else table("waiting").delete(approval.id)
}

export function removeRun(table: Table, run: string): void {
  table("runs").delete(run)
  table("journal").delete(IDBKeyRange.bound([run], [run, []]))
}

function writeGrants(table: IDBObjectStore, { grants = [], grantUses = [], at }: Change, stored: StoredBefore): void {
  const now = new Map<string, Grant | undefined>(stored.grants)
  const touched = new Set<string>()
  for (const write of grants) {
    const id = "put" in write ? write.put.id : write.remove
    now.set(id, "put" in write ? write.put : undefined)
    touched.add(id)
  }
  for (const { grant: id, counted } of grantUses) {
    const grant = now.get(id)
    if (grant === undefined) continue
    const used: Grant = { ...grant, lastUsedAt: at, timesUsed: grant.timesUsed + 1 }
    now.set(id, counted && grant.usesLeft !== undefined ? { ...used, usesLeft: grant.usesLeft - 1 } : used)
    touched.add(id)
  }
  for (const id of touched) {
    const grant = now.get(id)
    if (grant === undefined) table.delete(id)
    else table.put({ id, text: JSON.stringify(grant) })
  }
}

function putDocument(table: IDBObjectStore, document: StoredDocument): void {
  const { kind, id, expiresAt } = document
  table.put({ kind, id, ...(expiresAt === null ? {} : { expiresAt }), text: JSON.stringify(document) })
}

async function writeUse(table: Table, { use, at }: Change, stored: StoredBefore): Promise<void> {
  if (use === undefined) return
  const { principal, session } = use
  if (isCounted(use)) await putCounts(table("principalCounts"), use, at, stored.principal)
  if (session === undefined) return
  const totals = table("sessionTotals")
  if (stored.session === undefined) await sweep(totals, at)
  totals.put({ principal, session, ...addToTotal(stored.session, at) })
}

async function putCounts(
  table: IDBObjectStore,
  use: CallUse,
  at: EpochMs,
  before: PrincipalCounts | undefined,
): Promise<void> {
  if (before === undefined) await sweep(table, at)
  const counts = addUse(before, use, at)
  table.put({ principal: use.principal, forgetAt: forgetCountsAt(counts), text: JSON.stringify(counts) })
}

/** Forgets a few rows whose time is over. */
async function sweep(table: IDBObjectStore, at: EpochMs): Promise<void> {
  const over = await resultOf(table.index("byEnd").getAllKeys(IDBKeyRange.upperBound(at), sweptPerRow))
  for (const key of over) table.delete(key)
}

function refOf({ server, tool }: { readonly server: string; readonly tool: string }) {
  return { server, tool }
}
