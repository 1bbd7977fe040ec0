import { type JsonObject, type Store, type StoredDocument, StoreError } from "@byleave/core"

/** The store's small documents, one at a time. */
export type Documents = {
  readonly get: (kind: string, id: string) => Promise<JsonObject | undefined>
  /** Writes over any earlier version; `tell`: listeners hear `document.changed`. */
  readonly put: (kind: string, id: string, value: JsonObject, options?: PutOptions) => Promise<void>
  /** The document with its version. */
  readonly find: (kind: string, id: string) => Promise<StoredDocument | undefined>
  /** Writes it in place of that version (null: where there is none). False: it is at another one by now. */
  readonly replace: (
    kind: string,
    id: string,
    value: JsonObject,
    replaces: number | null,
    options?: PutOptions,
  ) => Promise<boolean>
  readonly remove: (kind: string, id: string, options?: Pick<PutOptions, "tell">) => Promise<void>
  /** Reads it, or makes it. Processes that start together agree on one value. */
  readonly keep: (kind: string, id: string, make: () => JsonObject) => Promise<JsonObject>
}

type PutOptions = { readonly expiresAt?: number; readonly tell?: true; readonly durability?: "full" | "soon" }

const attempts = 20

export function createDocuments(store: Store, now: () => number): Documents {
  const at = () => store.now(now())
  const eventsOf = (kind: string, id: string, tell: true | undefined) =>
    tell === true ? [{ type: "document.changed" as const, subject: `${kind}/${id}` }] : []
  const found = (kind: string, id: string) => store.document(kind, id, at())
  const write = async (kind: string, id: string, value: JsonObject, replaces: number | null, options: PutOptions) => {
    const { expiresAt = null, tell, durability = "full" } = options
    const put = { kind, id, version: (replaces ?? 0) + 1, value, expiresAt }
    const change = { at: at(), documents: [{ put, replaces }], records: [], events: eventsOf(kind, id, tell) }
    return (await store.commit({ ...change, durability })).ok
  }
  return {
    get: async (kind, id) => (await found(kind, id))?.value,
    find: found,
    replace: (kind, id, value, replaces, options = {}) => write(kind, id, value, replaces, options),
    put: async (kind, id, value, options = {}) => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const before = await found(kind, id)
        if (await write(kind, id, value, before?.version ?? null, options)) return
      }
      throw new StoreError("busy", `${kind}/${id} kept changing while being saved. Try again.`)
    },
    remove: async (kind, id, { tell } = {}) => {
      const documents = [{ remove: { kind, id }, replaces: null }]
      await store.commit({ at: at(), documents, records: [], events: eventsOf(kind, id, tell), durability: "full" })
    },
    keep: async (kind, id, make) => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const before = await found(kind, id)
        if (before !== undefined) return before.value
        const value = make()
        if (await write(kind, id, value, null, {})) return value
      }
      throw new StoreError("busy", `${kind}/${id} could not be created. Try again.`)
    },
  }
}
