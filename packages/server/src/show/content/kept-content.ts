/**
 * The content of files before the calls that changed them, as it was read for their cards: kept so that it can be put back. Bounded, and
 * removed when arguments of that time are removed.
 *
 * I1. No more files and no more text than the bounds say; the oldest go first.
 * I2. What redaction would change is not kept, nor what is too long, nor what may not be the file as it is: only that it was so.
 * I3. What was read before a time is removed from the store with what else was kept from before then.
 */
import type { CurrentContentView } from "@byleave/api"
import type { EpochMs, Hasher, JsonObject, Redactor, Store, StoredDocument } from "@byleave/core"

export type KeptContent = { readonly readAt: EpochMs } & (
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: NotKept }
)

type NotKept = "absent" | "too-large" | "redacted" | "partial" | "not-utf8"

export type KeptBounds = {
  /** Characters of one file. */
  readonly each: number
  readonly files: number
  readonly inAll: number
}
const defaultBounds: KeptBounds = { each: 262_144, files: 500, inAll: 33_554_432 }

export type KeptContentPorts = { readonly store: Store; readonly hasher: Hasher; readonly redactor: Redactor }
type File = { readonly approval: string; readonly path: string }

const kind = "file-before"
const indexKind = "file-before-index"
const indexId = "all"
const maxAttempts = 10

type Indexed = { readonly id: string; readonly at: EpochMs; readonly size: number }

/** Keeps the content that was read, in place of earlier content for the same call. */
export async function keepContent(
  { store, hasher, redactor }: KeptContentPorts,
  file: File,
  found: CurrentContentView | "too-large",
  at: EpochMs,
  bounds: KeptBounds = defaultBounds,
): Promise<void> {
  const content = contentOf(found, redactor, bounds)
  if (content === null) return
  const id = idOf(hasher, file)
  const size = "text" in content ? content.text.length : 0
  await changeIndex(store, at, async (kept) => {
    const before = await store.document(kind, id, at)
    const value: JsonObject = { version: 1, readAt: at, ...content }
    const put = { kind, id, version: (before?.version ?? 0) + 1, value, expiresAt: null }
    const { stays, goes } = withinBounds([...kept.filter((each) => each.id !== id), { id, at, size }], bounds)
    return { stays, goes, put: { put, replaces: before?.version ?? null } }
  })
}

/** Undefined: it was not read, or is not kept any more. */
export async function contentBefore(
  { store, hasher }: Pick<KeptContentPorts, "store" | "hasher">,
  file: File,
  now: EpochMs,
): Promise<KeptContent | undefined> {
  const found = await store.document(kind, idOf(hasher, file), now)
  return found === undefined ? undefined : keptIn(found)
}

/** Removes content that was read before then. */
export async function removeContents(store: Store, before: EpochMs, now: EpochMs): Promise<void> {
  await changeIndex(store, now, async (kept) => ({
    stays: kept.filter(({ at }) => at >= before),
    goes: kept.filter(({ at }) => at < before),
  }))
}

type Content = { readonly kind: "text"; readonly text: string } | { readonly kind: NotKept }

function contentOf(found: CurrentContentView | "too-large", redactor: Redactor, { each }: KeptBounds): Content | null {
  if (found === "too-large") return { kind: "too-large" }
  if (found.kind === "absent") return { kind: "absent" }
  if (found.kind !== "text") return null
  if (found.doubt !== undefined) return { kind: found.doubt }
  if (found.text.length > each) return { kind: "too-large" }
  return redactor.redactText(found.text) === found.text ? { kind: "text", text: found.text } : { kind: "redacted" }
}

function withinBounds(kept: readonly Indexed[], { files, inAll }: KeptBounds) {
  const stays = [...kept]
  const goes: Indexed[] = []
  let sum = stays.reduce((total, { size }) => total + size, 0)
  while (stays.length > files || sum > inAll) {
    const oldest = stays.shift()
    if (oldest === undefined) break
    goes.push(oldest)
    sum -= oldest.size
  }
  return { stays, goes }
}

type IndexChange = {
  readonly stays: readonly Indexed[]
  readonly goes: readonly Indexed[]
  readonly put?: { readonly put: StoredDocument; readonly replaces: number | null }
}

/** All of it in one commit; if another process was quicker, its state is read and the commit tried again. */
async function changeIndex(
  store: Store,
  at: EpochMs,
  change: (kept: readonly Indexed[]) => Promise<IndexChange>,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const index = await store.document(indexKind, indexId, at)
    const { stays, goes, put } = await change(indexed(index))
    if (put === undefined && goes.length === 0) return
    const value: JsonObject = { version: 1, kept: stays.map((each) => ({ ...each })) }
    const next = { kind: indexKind, id: indexId, version: (index?.version ?? 0) + 1, value, expiresAt: null }
    const committed = await store.commit({
      at,
      documents: [
        ...(put === undefined ? [] : [put]),
        { put: next, replaces: index?.version ?? null },
        ...goes.map(({ id }) => ({ remove: { kind, id }, replaces: null })),
      ],
      records: [],
      events: [],
      durability: "soon",
    })
    if (committed.ok) return
  }
}

/** We wrote it, so its shape is known. */
function indexed(index: StoredDocument | undefined): readonly Indexed[] {
  return (index?.value.kept ?? []) as unknown as readonly Indexed[]
}

function keptIn({ value }: StoredDocument): KeptContent {
  const readAt = Number(value.readAt)
  if (value.kind === "text") return { kind: "text", text: String(value.text), readAt }
  return { kind: value.kind as NotKept, readAt }
}

function idOf(hasher: Hasher, { approval, path }: File): string {
  return `${approval}:${hasher.sha256(path).slice(0, 16)}`
}
