import type { DeviceKey } from "@byleave/api"

/** The key of this browser lies in a database of its own: it cannot be taken out, only used. */
const database = "byleave-device"
const table = "device"
const only = "this"

export async function keptDeviceKey(): Promise<DeviceKey | null> {
  return (await withTable<DeviceKey | undefined>("readonly", (store) => store.get(only))) ?? null
}

export async function keepDeviceKey(key: DeviceKey): Promise<void> {
  await withTable("readwrite", (store) => store.put(key, only))
}

export async function forgetDeviceKey(): Promise<void> {
  await withTable("readwrite", (store) => store.delete(only))
}

async function withTable<Value>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<Value> {
  const opening = indexedDB.open(database, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(table)
  const db = await resultOf<IDBDatabase>(opening)
  try {
    return await resultOf<Value>(act(db.transaction(table, mode).objectStore(table)))
  } finally {
    db.close()
  }
}

function resultOf<Value>(request: IDBRequest): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as Value)
    request.onerror = () => reject(request.error ?? new Error("The browser did not keep the key."))
  })
}
