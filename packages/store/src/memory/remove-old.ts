import type { EpochMs } from "@byleave/core"
import { hasPayload, settledAtOf, withoutPayload } from "../approval-facts.ts"
import type { Blind } from "../blinding.ts"
import { lastEvent, type MemoryDatabase } from "./memory-database.ts"
import { allRecords } from "./read-memory.ts"

type Removed = { readonly approvals: number; readonly records: number }

export function removePayloads(database: MemoryDatabase, before: EpochMs, blind: Blind): Removed {
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

export function removeEvents(database: MemoryDatabase, before: EpochMs): void {
  const last = lastEvent(database)
  database.events = database.events.filter((event) => event.at >= before || event.seq === last)
}

export function removeDocuments(database: MemoryDatabase, before: EpochMs): void {
  for (const [key, { expiresAt }] of database.documents) {
    if (expiresAt !== null && expiresAt < before) database.documents.delete(key)
  }
}

export function removeEndedSessions(database: MemoryDatabase, before: EpochMs): void {
  for (const [key, { endedAt }] of database.sessions) {
    if (endedAt !== null && endedAt < before) database.sessions.delete(key)
  }
}

function isOpen(database: MemoryDatabase, subject: string | null): boolean {
  const approval = subject === null ? undefined : database.approvals.get(subject)
  return approval !== undefined && settledAtOf(approval) === null
}
