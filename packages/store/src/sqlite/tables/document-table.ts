import type { DatabaseSync } from "node:sqlite"
import type { EpochMs, Store, StoredDocument } from "@byleave/core"
import type { DocumentRef, DocumentVersion, DocumentWrite } from "../../document-facts.ts"
import { keyText, nameOf } from "../../key-text.ts"
import { prepared } from "./prepared.ts"
import { storedJson } from "./stored-json.ts"

export type DocumentTable = {
  readonly version: (ref: DocumentRef) => DocumentVersion | undefined
  readonly write: (write: DocumentWrite) => void
  readonly byId: (kind: string, id: string, now: EpochMs) => StoredDocument | undefined
  readonly list: (...query: Parameters<Store["documents"]>) => readonly StoredDocument[]
  /** Removes some of those that expired before then; gives how many. */
  readonly removeExpired: (before: EpochMs, limit: number) => number
}

type Row = {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly expires_at: number | null
  readonly value: string
}

const isThere = "(expires_at IS NULL OR expires_at > ?)"

export function createDocumentTable(database: DatabaseSync): DocumentTable {
  const version = prepared<DocumentVersion>(
    database,
    "SELECT version, expires_at AS expiresAt FROM documents WHERE kind = ? AND id = ?",
  )
  const put = prepared(
    database,
    "INSERT OR REPLACE INTO documents (kind, id, version, expires_at, value) VALUES (?, ?, ?, ?, ?)",
  )
  const remove = prepared(database, "DELETE FROM documents WHERE kind = ? AND id = ?")
  const byId = prepared<Row>(database, `SELECT * FROM documents WHERE kind = ? AND id = ? AND ${isThere}`)
  const all = prepared<Row>(database, `SELECT * FROM documents WHERE kind = ? AND ${isThere} ORDER BY id LIMIT ?`)
  const further = prepared<Row>(
    database,
    `SELECT * FROM documents WHERE kind = ? AND ${isThere} AND id > ? ORDER BY id LIMIT ?`,
  )
  const removeExpired = prepared(
    database,
    `DELETE FROM documents WHERE (kind, id) IN (
       SELECT kind, id FROM documents WHERE expires_at IS NOT NULL AND expires_at < ? ORDER BY expires_at LIMIT ?)`,
  )
  return {
    version: ({ kind, id }) => version.get(keyText(kind), keyText(id)),
    write: (write) => {
      if ("remove" in write) remove.run(keyText(write.remove.kind), keyText(write.remove.id))
      else put.run(...valuesOf(write.put))
    },
    byId: (kind, id, now) => {
      const row = byId.get(keyText(kind), keyText(id), now)
      return row === undefined ? undefined : documentOf(row)
    },
    list: (kind, { after, limit, now }) => {
      const rows =
        after === undefined
          ? all.all(keyText(kind), now, limit)
          : further.all(keyText(kind), now, keyText(after), limit)
      return rows.map(documentOf)
    },
    removeExpired: (before, limit) => removeExpired.run(before, limit),
  }
}

function valuesOf({ kind, id, version, expiresAt, value }: StoredDocument): ReadonlyArray<string | number | null> {
  return [keyText(kind), keyText(id), version, expiresAt, JSON.stringify(value)]
}

function documentOf({ kind, id, version, expires_at, value }: Row): StoredDocument {
  return {
    kind: nameOf(kind),
    id: nameOf(id),
    version,
    value: storedJson<StoredDocument["value"]>(value),
    expiresAt: expires_at,
  }
}
