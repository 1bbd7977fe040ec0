import type { DeviceKey } from "@byleave/api"

/** The device that this browser is signed in as. The private key cannot be taken out of the browser; nothing else opens anything. */
export type KeptDevice = {
  readonly key: DeviceKey
  /** The name of this browser. */
  readonly name: string
  /** The reviewer it signs for. */
  readonly reviewer: string
}

const database = "byleave"
const shelf = "device"
const only = "this"

export async function keptDevice(): Promise<KeptDevice | null> {
  const kept = await withShelf<KeptDevice | undefined>("readonly", (store) => store.get(only))
  return kept ?? null
}

export async function keepDevice(device: KeptDevice): Promise<void> {
  await withShelf("readwrite", (store) => store.put(device, only))
}

export async function forgetDevice(): Promise<void> {
  await withShelf("readwrite", (store) => store.delete(only))
}

async function withShelf<Value>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<Value> {
  const db = await opened()
  try {
    const transaction = db.transaction(shelf, mode)
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error("This browser could not save the data."))
    })
    const request = act(transaction.objectStore(shelf))
    await done
    return request.result as Value
  } finally {
    db.close()
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(shelf)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error("This browser does not allow this page to store data."))
  })
}
