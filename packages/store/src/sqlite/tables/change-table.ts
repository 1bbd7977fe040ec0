import type { DatabaseSync } from "node:sqlite"
import {
  type Approval,
  type Change,
  type CommitResult,
  type Grant,
  type Pin,
  type SessionRecord,
  type StoreEvent,
  type StoreEventDraft,
  summaryOf,
} from "@byleave/core"
import { dueAtOf, hasPayload, isAttachable, settledAtOf } from "../../approval-facts.ts"
import { documentConflict } from "../../document-facts.ts"
import { grantConflict } from "../../grant-conflict.ts"
import { grantSessionKey } from "../../grant-session.ts"
import { type HeldCounter, heldConflict } from "../../held-limit.ts"
import { keyText } from "../../key-text.ts"
import { movesEpoch } from "../../moves-epoch.ts"
import { runConflict } from "../../run-facts.ts"
import { useConflict } from "../../use-conflict.ts"
import type { DocumentTable } from "./document-table.ts"
import { prepared } from "./prepared.ts"
import { createOpenCounter } from "./read-runs.ts"
import type { RunTable } from "./run-table.ts"
import type { UsageTable } from "./usage-table.ts"
import { createWaitingCounter } from "./waiting-counter.ts"

/** The counters that a transaction changes besides rows; read at its beginning, written at its end. */
export type UsageTally = {
  epoch: number
  pinsEpoch: number
  latest: number
  /** The latest time of a record; it need not be written down besides. */
  recorded: number
  lastEvent: number
  readonly events: StoreEvent[]
}

/** Everything a change writes but its audit records. To be called within a transaction. */
export type ChangeTable = {
  readonly begin: () => UsageTally
  /** The conflict that prevents the change; nothing is written before this returns null. */
  readonly conflictOf: (tally: UsageTally, change: Change) => CommitResult | null
  readonly write: (tally: UsageTally, change: Change) => void
  readonly end: (before: UsageTally, tally: UsageTally) => void
  /** Puts an approval without its payload, and without its old digest, in its place. */
  readonly putBare: (approval: Approval) => void
}

const noTally = { epoch: 0, pinsEpoch: 0, latest: 0, recorded: 0, lastEvent: 0 }

const approvalColumns =
  "version, status, settled_at, due_at, attachable, has_payload, bytes, doc, id, principal, session, server, tool, call_digest, created_at"

export type ChangePorts = {
  readonly database: DatabaseSync
  readonly documents: DocumentTable
  readonly runs: RunTable
  readonly usage: UsageTable
}

export function createChangeTable({ database, documents, runs, usage }: ChangePorts): ChangeTable {
  const state = prepared<Omit<UsageTally, "events">>(
    database,
    `SELECT epoch, pins_epoch AS pinsEpoch, max(latest, recorded) AS latest, recorded, lastEvent FROM state,
       (SELECT coalesce(max(at), 0) AS recorded FROM audit), (SELECT coalesce(max(seq), 0) AS lastEvent FROM events)`,
  )
  const putState = prepared(database, "UPDATE state SET epoch = ?, pins_epoch = ?, latest = ?")
  const version = prepared<{ version: number }>(database, "SELECT version FROM approvals WHERE id = ?")
  // A change may hold one approval twice: its last word counts.
  const insertApproval = prepared(
    database,
    `INSERT INTO approvals (${approvalColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET (${approvalColumns}) = (${approvalColumns.replaceAll(/\w+/g, "excluded.$&")})`,
  )
  // Only what can change: an index whose columns are not named here is not touched.
  const updateApproval = prepared(
    database,
    `UPDATE approvals SET version = ?, status = ?, settled_at = ?, due_at = ?, attachable = ?, has_payload = ?, bytes = ?, doc = ?
     WHERE id = ?`,
  )
  const putSummary = prepared(
    database,
    "INSERT OR REPLACE INTO summaries (n, doc) VALUES ((SELECT n FROM approvals WHERE id = ?), ?)",
  )
  const openOf = createOpenCounter(database)
  const held: HeldCounter = {
    around: createWaitingCounter(database),
    ofStarter: ({ startedBy }) => openOf(startedBy).waiting,
  }
  const forgetDigest = prepared(database, "UPDATE approvals SET call_digest = ? WHERE id = ?")
  const grants = grantWrites(database)
  const putPin = prepared(database, "INSERT OR REPLACE INTO pins (server, tool, doc) VALUES (?, ?, ?)")
  const removePin = prepared(database, "DELETE FROM pins WHERE server = ? AND tool = ?")
  const putSession = sessionWrite(database)
  const insertEvent = prepared(database, "INSERT INTO events (seq, at, type, subject) VALUES (?, ?, ?, ?)")

  const approvalConflict = (change: Change): string | null => {
    for (const { next, replaces } of change.approvals ?? []) {
      if ((version.get(keyText(next.id))?.version ?? null) !== replaces) return next.id
    }
    return null
  }
  const writeApproval = (approval: Approval, isNew: boolean): void => {
    const summary = summaryOf(approval)
    const values = changingValues(approval, summary.bytes)
    const id = keyText(approval.id)
    if (isNew) insertApproval.run(...values, id, ...lastingValues(approval))
    else updateApproval.run(...values, id)
    putSummary.run(id, JSON.stringify(summary))
  }
  const writePin = (write: { readonly put: Pin } | { readonly remove: { server: string; tool: string } }): void => {
    if ("put" in write) putPin.run(keyText(write.put.server), keyText(write.put.tool), JSON.stringify(write.put))
    else removePin.run(keyText(write.remove.server), keyText(write.remove.tool))
  }
  const writeEvent = (tally: UsageTally, event: StoreEventDraft, at: number): void => {
    tally.lastEvent++
    insertEvent.run(tally.lastEvent, at, event.type, keyText(event.subject))
    tally.events.push({ ...event, seq: tally.lastEvent, at })
  }
  return {
    begin: () => ({ ...noTally, ...state.get(), events: [] }),
    conflictOf: (tally, change) => {
      if (change.epoch !== undefined && change.epoch !== tally.epoch) return { ok: false, conflict: "epoch", id: null }
      const approval = approvalConflict(change)
      if (approval !== null) return { ok: false, conflict: "approval", id: approval }
      const grant = grantConflict(change, grants.usesLeft)
      if (grant !== null) return { ok: false, conflict: "grant", id: grant }
      const document = documentConflict(change, documents.version)
      if (document !== null) return { ok: false, conflict: "document", id: document }
      return (
        runConflict(change, runs.stored, runs.hasLine) ??
        useConflict(change, usage.countsOf) ??
        heldConflict(change, held)
      )
    },
    write: (tally, change) => {
      for (const { next, replaces } of change.approvals ?? []) writeApproval(next, replaces === null)
      for (const write of change.grants ?? []) grants.write(write)
      for (const use of change.grantUses ?? []) grants.use(use, change.at)
      for (const write of change.pins ?? []) writePin(write)
      for (const write of change.documents ?? []) documents.write(write)
      runs.write(change)
      for (const session of change.sessions ?? []) putSession(session)
      if (change.use !== undefined) usage.add(change.use, change.at)
      for (const event of change.events) writeEvent(tally, event, change.at)
      for (const { at } of change.records) tally.recorded = Math.max(tally.recorded, at)
      tally.latest = Math.max(tally.latest, tally.recorded, change.at)
      if (movesEpoch(change)) tally.epoch++
      if (isSome(change.pins)) tally.pinsEpoch = tally.epoch
    },
    end: (before, tally) => {
      usage.end()
      const isTimeKnown = tally.latest === before.latest || tally.latest === tally.recorded
      if (tally.epoch === before.epoch && isTimeKnown) return
      putState.run(tally.epoch, tally.pinsEpoch, tally.latest)
    },
    putBare: (approval) => {
      writeApproval(approval, false)
      forgetDigest.run(keyText(approval.callDigest), keyText(approval.id))
    },
  }
}

type GrantWrites = {
  readonly usesLeft: (id: string) => number | null | undefined
  readonly write: (write: { readonly put: Grant } | { readonly remove: string }) => void
  readonly use: (use: { readonly grant: string; readonly counted: boolean }, at: number) => void
}

function grantWrites(database: DatabaseSync): GrantWrites {
  const usesLeft = prepared<{ left: number | null }>(database, "SELECT uses_left AS left FROM grants WHERE id = ?")
  const put = prepared(
    database,
    "INSERT OR REPLACE INTO grants (id, uses_left, times_used, last_used_at, session_key, doc) VALUES (?, ?, ?, ?, ?, ?)",
  )
  const remove = prepared(database, "DELETE FROM grants WHERE id = ?")
  const use = prepared(
    database,
    "UPDATE grants SET uses_left = uses_left - ?, times_used = times_used + 1, last_used_at = ? WHERE id = ?",
  )
  return {
    usesLeft: (id) => usesLeft.get(keyText(id))?.left,
    write: (write) => {
      if ("remove" in write) remove.run(keyText(write.remove))
      else {
        const grant = write.put
        const uses = [grant.usesLeft ?? null, grant.timesUsed, grant.lastUsedAt] as const
        put.run(keyText(grant.id), ...uses, grantSessionKey(grant), JSON.stringify(grant))
      }
    },
    use: ({ grant, counted }, at) => {
      use.run(counted ? 1 : 0, at, keyText(grant))
    },
  }
}

function sessionWrite(database: DatabaseSync): (session: SessionRecord) => void {
  const columns = "principal, id, named, mode, mode_until, mode_by, lifted, refused, since, ended_at"
  const put = prepared(database, `INSERT OR REPLACE INTO sessions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return ({ principal, id, named, mode, modeUntil, modeBy, lifted, refused, since, endedAt }) => {
    const who = [keyText(principal), keyText(id), named ? 1 : 0]
    const lists = [JSON.stringify(lifted), JSON.stringify(refused)]
    put.run(...who, mode, modeUntil, modeBy === null ? null : keyText(modeBy), ...lists, since ?? null, endedAt)
  }
}

function changingValues(approval: Approval, bytes: number): ReadonlyArray<string | number | null> {
  return [
    approval.version,
    approval.status,
    settledAtOf(approval),
    dueAtOf(approval),
    isAttachable(approval) ? 1 : 0,
    hasPayload(approval) ? 1 : 0,
    bytes,
    JSON.stringify(approval),
  ]
}

function lastingValues({ principal, session, tool, callDigest, createdAt }: Approval): ReadonlyArray<string | number> {
  return [...[principal.id, session.id, tool.server, tool.tool, callDigest].map(keyText), createdAt]
}

function isSome(writes: readonly unknown[] | undefined): boolean {
  return writes !== undefined && writes.length > 0
}
