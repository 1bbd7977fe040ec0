/**
 * Secrets of this browser, sealed.
 *
 * I1. The key that seals cannot be taken out of the browser: it is not extractable, and lies where only this extension reads.
 * I2. What was sealed for one purpose does not open for another.
 */

const database = "byleave-keys"
const table = "keys"
const only = "sealing"

/** Text that only this browser can read, in base64. */
export type Sealed = string

let opened: Promise<CryptoKey> | null = null

export async function seal(purpose: string, text: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const key = await sealingKey()
  const sealed = await crypto.subtle.encrypt({ ...how(purpose), iv }, key, new TextEncoder().encode(text))
  const bytes = new Uint8Array(12 + sealed.byteLength)
  bytes.set(iv)
  bytes.set(new Uint8Array(sealed), 12)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
}

/** Null where it was sealed for something else, by another browser, or was changed. */
export async function unseal(purpose: string, sealed: Sealed): Promise<string | null> {
  try {
    const bytes = Uint8Array.from(atob(sealed), (char) => char.charCodeAt(0))
    const key = await sealingKey()
    const text = await crypto.subtle.decrypt({ ...how(purpose), iv: bytes.slice(0, 12) }, key, bytes.slice(12))
    return new TextDecoder().decode(text)
  } catch {
    return null
  }
}

function how(purpose: string) {
  return { name: "AES-GCM", additionalData: new TextEncoder().encode(purpose) }
}

function sealingKey(): Promise<CryptoKey> {
  opened ??= readOrMakeKey().catch((error: unknown) => {
    opened = null
    throw error
  })
  return opened
}

async function readOrMakeKey(): Promise<CryptoKey> {
  const db = await openKeys()
  try {
    const known = await request<CryptoKey | undefined>(db.transaction(table).objectStore(table).get(only))
    if (known !== undefined) return known
    const fresh = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
    // Panel and worker may both come first: the one that is there stays.
    const keys = db.transaction(table, "readwrite").objectStore(table)
    const meanwhile = await request<CryptoKey | undefined>(keys.get(only))
    if (meanwhile !== undefined) return meanwhile
    await request(keys.put(fresh, only))
    return fresh
  } finally {
    db.close()
  }
}

function openKeys(): Promise<IDBDatabase> {
  const opening = indexedDB.open(database, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(table)
  return request(opening)
}

function request<Result>(asked: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error ?? new Error("The browser did not open the extension's keys."))
  })
}
