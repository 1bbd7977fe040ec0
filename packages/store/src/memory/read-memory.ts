import {
  type Approval,
  type ApprovalQuery,
  type AuditQuery,
  type AuditRecord,
  type EpochMs,
  openStatuses,
  type RecordWithPayload,
  type Store,
  type StoredDocument,
  type StoreEvent,
  sessionKey,
  utf8Length,
} from "@byleave/core"
import {
  dueAtOf,
  factsOf,
  isAttachable,
  matchesApproval,
  settledAtOf,
  type WantedApprovals,
} from "../approval-facts.ts"
import { hasExpired } from "../document-facts.ts"
import { compare, newestFirst, oldestFirst } from "../in-order.ts"
import type { Chain, KeptRecord, MemoryDatabase } from "./memory-database.ts"

export function sortedChains(database: MemoryDatabase): readonly Chain[] {
  return [...database.chains.values()].sort((a, b) => compare(a.head.writer, b.head.writer))
}

export function matching(database: MemoryDatabase, query: WantedApprovals): Approval[] {
  return [...database.approvals.values()].filter((approval) => matchesApproval(factsOf(approval), query))
}

export function openSessions(database: MemoryDatabase): Awaited<ReturnType<Store["openSessions"]>> {
  const open = matching(database, { statuses: openStatuses }).sort(newestFirst)
  return [...Map.groupBy(open, ({ session }) => sessionKey(session)).values()].flatMap((approvals) => {
    const [newest] = approvals
    const waiting = approvals.filter(({ status }) => status === "pending").length
    return newest === undefined ? [] : [{ session: newest.session, waiting }]
  })
}

export function newestApprovals(database: MemoryDatabase, query: ApprovalQuery): readonly Approval[] {
  const { after } = query
  return matching(database, query)
    .filter((found) => after === undefined || oldestFirst(found, after) < 0)
    .sort(newestFirst)
    .slice(0, query.limit)
}

export function isFor(approval: Approval, callDigest: string, settledSince: EpochMs): boolean {
  return (
    approval.callDigest === callDigest &&
    isAttachable(approval) &&
    (settledAtOf(approval) ?? Number.POSITIVE_INFINITY) >= settledSince
  )
}

export function dueApprovals(database: MemoryDatabase, now: EpochMs, limit: number): readonly Approval[] {
  return [...database.approvals.values()]
    .map((approval) => ({ approval, dueAt: dueAtOf(approval) ?? Number.POSITIVE_INFINITY }))
    .filter(({ dueAt }) => dueAt <= now)
    .sort((a, b) => a.dueAt - b.dueAt || compare(a.approval.id, b.approval.id))
    .slice(0, limit)
    .map(({ approval }) => approval)
}

export function newestRecords(database: MemoryDatabase, query: AuditQuery): readonly RecordWithPayload[] {
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

export function lifeCycleSteps(
  database: MemoryDatabase,
): ReadonlyArray<Pick<AuditRecord, "subject" | "step" | "type">> {
  return allRecords(database)
    .filter(({ record }) => record.subject !== null)
    .map(({ record: { subject, step, type } }) => ({ subject, step, type }))
    .sort((a, b) => compare(a.subject ?? "", b.subject ?? "") || a.step - b.step)
}

export function allRecords(database: MemoryDatabase): readonly KeptRecord[] {
  return [...database.chains.values()].flatMap((chain) => chain.records)
}

export function documentsOf(
  database: MemoryDatabase,
  kind: string,
  { after, limit, now }: Parameters<Store["documents"]>[1],
): readonly StoredDocument[] {
  return [...database.documents.values()]
    .filter((found) => found.kind === kind && !hasExpired(found, now) && (after === undefined || found.id > after))
    .sort((a, b) => compare(a.id, b.id))
    .slice(0, limit)
}

export function eventsAfter(database: MemoryDatabase, after: number, limit: number): readonly StoreEvent[] {
  const first = database.events.findLastIndex(({ seq }) => seq <= after) + 1
  return database.events.slice(first, first + limit)
}

type RecordPosition = { readonly at: EpochMs; readonly writer: string; readonly seq: number }

function earliestFirst(a: RecordPosition, b: RecordPosition): number {
  return a.at - b.at || compare(a.writer, b.writer) || a.seq - b.seq
}
