import {
  type Approval,
  type ApprovalQuery,
  type ApprovalSummary,
  type CallKey,
  type EpochMs,
  type Hasher,
  openStatuses,
  type Store,
  type StoredDocument,
  type StoreEvent,
} from "@byleave/core"
import { keyText, nameOf } from "../key-text.ts"
import { countApprovals, listApprovals } from "./approval-filter.ts"
import type { Statements } from "./commit/statements.ts"
import { callKey } from "./commit/write-batch.ts"
import type { Connections } from "./connections.ts"
import { createDecisionReader } from "./decision-reader.ts"
import { readDoc } from "./read-doc.ts"
import type { Filtered } from "./where.ts"

type DocRow = { doc: string }
type DocumentRow = Omit<StoredDocument, "value"> & { value: string }

/** Approvals, sessions, documents, events, and what decisions rest on. */
export function createStateReader(read: Connections["read"], sql: Statements, hasher: Hasher, quotedSchema: string) {
  const approvals = async (rows: Promise<readonly DocRow[]>): Promise<readonly Approval[]> =>
    (await rows).map(({ doc }) => readDoc<Approval>(doc))
  const summaries = async (rows: Promise<readonly DocRow[]>): Promise<readonly ApprovalSummary[]> =>
    (await rows).map(({ doc }) => readDoc<ApprovalSummary>(doc))
  const filtered = ({ statement, values }: Filtered) => read<DocRow & { count: number }>(statement, values)
  return {
    ...createDecisionReader(read, sql, hasher),
    approval: async (id: string): Promise<Approval | undefined> =>
      (await approvals(read<DocRow>(sql.approval, [keyText(id)])))[0],
    approvals: (query: ApprovalQuery) => summaries(filtered(listApprovals(query, quotedSchema))),
    countApprovals: async (query: Omit<ApprovalQuery, "limit" | "after">): Promise<number> =>
      (await filtered(countApprovals(query, quotedSchema)))[0]?.count ?? 0,
    openSessions: async (limit: number): ReturnType<Store["openSessions"]> => {
      const rows = await read<DocRow & { waiting: number }>(sql.openSessions, [openStatuses, limit])
      return rows.map(({ doc, waiting }) => ({ session: readDoc<ApprovalSummary>(doc).session, waiting }))
    },
    identical: ({ principal, session, server, tool, callDigest }: CallKey, settledSince: EpochMs) => {
      const key = callKey([principal, session, server, tool, callDigest], hasher)
      return summaries(read<DocRow>(sql.identical, [key, settledSince]))
    },
    due: (now: EpochMs, limit: number) => summaries(read<DocRow>(sql.due, [now, limit])),
    document: async (kind: string, id: string, now: EpochMs): Promise<StoredDocument | undefined> => {
      const [row] = await read<DocumentRow>(sql.document, [keyText(kind), keyText(id), now])
      return row === undefined ? undefined : documentOf(row)
    },
    documents: async (...[kind, query]: Parameters<Store["documents"]>): Promise<readonly StoredDocument[]> => {
      const { after, limit, now } = query
      const rows =
        after === undefined
          ? await read<DocumentRow>(sql.allDocuments, [keyText(kind), now, limit])
          : await read<DocumentRow>(sql.documents, [keyText(kind), keyText(after), now, limit])
      return rows.map(documentOf)
    },
    events: async (after: number, limit: number, reader?: string): Promise<readonly StoreEvent[]> => {
      const rows = await read<StoreEvent>(sql.events, [after, limit], reader)
      return rows.map(({ seq, type, subject, at }) => ({ seq, type, subject: nameOf(subject), at }))
    },
    lastEvent: async (): Promise<number> => (await read<{ last: number }>(sql.lastEvent))[0]?.last ?? 0,
  }
}

function documentOf({ kind, id, version, expiresAt, value }: DocumentRow): StoredDocument {
  return { kind: nameOf(kind), id: nameOf(id), version, value: readDoc<StoredDocument["value"]>(value), expiresAt }
}
