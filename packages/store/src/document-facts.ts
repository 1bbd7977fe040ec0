import type { Change, EpochMs, StoredDocument } from "@byleave/core"

/** The fields that a conflict is detected by. */
export type DocumentVersion = Pick<StoredDocument, "version" | "expiresAt">
export type DocumentRef = Pick<StoredDocument, "kind" | "id">
export type DocumentWrite = NonNullable<Change["documents"]>[number]

export function documentKey({ kind, id }: DocumentRef): string {
  return JSON.stringify([kind, id])
}

export function documentOf(write: DocumentWrite): DocumentRef {
  return "put" in write ? write.put : write.remove
}

export function hasExpired({ expiresAt }: Pick<StoredDocument, "expiresAt">, now: EpochMs): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** The document that keeps a change from being made: it is at another version than was thought. Null when none does. */
export function documentConflict(
  change: Change,
  stored: (ref: DocumentRef) => DocumentVersion | undefined,
): string | null {
  for (const write of change.documents ?? []) {
    if ("remove" in write && write.replaces === null) continue
    const ref = documentOf(write)
    const found = stored(ref)
    const version = found === undefined || hasExpired(found, change.at) ? null : found.version
    if (version !== write.replaces) return ref.id
  }
  return null
}
