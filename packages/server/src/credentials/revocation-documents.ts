/** The documents by which every process knows of revoked credentials; the gate reads them with each snapshot of its policy. */
import { type Change, type EpochMs, revocationKind as kind, type Store, type StoredDocument } from "@byleave/core"

type DocumentWrites = NonNullable<Change["documents"]>

/** The part of a change that revokes a credential. */
export async function revoking(store: Pick<Store, "document">, name: string): Promise<DocumentWrites> {
  return [putAfter(await store.document(kind, name, 0), name, null)]
}

/** The part of a change that gives somebody else the name of a credential that was revoked, from `at` on. */
export async function givingAnew(
  store: Pick<Store, "document">,
  name: string,
  at: () => EpochMs,
): Promise<DocumentWrites> {
  const before = await store.document(kind, name, 0)
  return before === undefined ? [] : [putAfter(before, name, at())]
}

function putAfter(before: StoredDocument | undefined, name: string, until: EpochMs | null): DocumentWrites[number] {
  const replaces = before?.version ?? null
  return { put: { kind, id: name, version: (replaces ?? 0) + 1, value: { until }, expiresAt: null }, replaces }
}
