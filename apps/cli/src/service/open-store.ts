import { AsyncLocalStorage } from "node:async_hooks"
import { chmodSync, closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { elapsedHere } from "@byleave/api"
import type { Store } from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import { type Keys, openKeys, openSqliteStore } from "@byleave/store/sqlite"
import { createDocuments, type Documents } from "./gateway/documents.ts"

export type OpenedStore = {
  readonly store: Store
  readonly documents: Documents
  readonly keys: Keys
  /** Whether other services may be using it. */
  readonly isShared: boolean
  /** Does work for somebody: whoever makes the store read much takes turns with others. */
  readonly asReader: AsReader
  /** Reads for all who ask meanwhile: nobody waits behind the other reads of whoever asked first. */
  readonly forAll: <Result>(read: () => Result) => Result
}

type AsReader = <Result>(reader: string, work: () => Result) => Result

/**
 * `sqlite`: the file in the data folder. Otherwise a `postgres://` address, which replicas share. `ahead`: of the service alone, which holds
 * the folder's lock.
 */
export async function openStore(data: string, where: string, now: () => number, ahead: boolean): Promise<OpenedStore> {
  const keys = openKeys(data)
  const ports = { hasher: nodeHasher, signer: keys.signer, newId }
  const readers = new AsyncLocalStorage<string>()
  const readerOf = (): string => readers.getStore() ?? ""
  const asReader: AsReader = (reader, work) => readers.run(reader, work)
  const reading = { asReader, forAll: <Result>(read: () => Result) => asReader("", read) }
  if (where === "sqlite") {
    const path = join(data, "byleave.db")
    keepToOwner(path)
    const store = toldAsThemselves(await openSqliteStore({ ...ports, path, now, alone: true, ahead, readerOf }))
    return { store, documents: createDocuments(store, now), keys, isShared: false, ...reading }
  }
  // Loaded when needed: most have no PostgreSQL.
  const { openPostgresStore } = await import("@byleave/store/postgres")
  const store = toldAsThemselves(
    await openPostgresStore({ ...ports, url: where, readerOf, hearingElapsed: elapsedHere }),
  )
  const documents = createDocuments(store, now)
  await mustShareKeys(documents, keys, data, store)
  return { store, documents, keys, isShared: true, ...reading }
}

/** Whoever listens reads for themselves, not for the one whose commit they are told of. */
function toldAsThemselves(store: Store): Store {
  return { ...store, subscribe: (listener) => store.subscribe(AsyncLocalStorage.bind(listener)) }
}

/** It holds arguments, keys and hashes of PINs: its owner's alone, wherever it is copied to. What SQLite puts beside it has the same mode. */
function keepToOwner(path: string): void {
  closeSync(openSync(path, "a", 0o600))
  chmodSync(path, 0o600)
}

/** Each replica signs its own chain; only with one key can any of them vouch for all. */
async function mustShareKeys(documents: Documents, keys: Keys, data: string, store: Store): Promise<void> {
  const kept = await documents.keep("key", "signer", () => ({ keyId: keys.signer.keyId }))
  if (kept.keyId === keys.signer.keyId) return
  await store.close()
  throw new Error(
    `This database is signed with a different key than the one in ${data}. Copy keys.json from the first replica's data folder into this one.`,
  )
}
