import { StoreError } from "@byleave/core"

/** The version of the tables below. A database of a later version is refused: its rows may mean something else. */
const version = 1

/** Object stores with their keys and indexes. Rows hold documents as JSON text: a structured clone refuses numbers kept as they were written. */
const tables = {
  meta: { key: "name" },
  approvals: {
    key: "id",
    indexes: {
      byTime: ["createdAt", "id"],
      byStatus: ["status", "createdAt", "id"],
      bySession: ["session", "createdAt", "id"],
      byDigest: "callDigest",
      byDue: "dueAt",
      bySettled: "settledAt",
    },
  },
  /** A row for every pending approval, by which limits on waiting calls are judged. */
  waiting: { key: "id" },
  grants: { key: "id" },
  pins: { key: ["server", "tool"] },
  sessions: { key: ["principal", "id"] },
  documents: { key: ["kind", "id"], indexes: { byEnd: "expiresAt" } },
  runs: { key: "id", indexes: { byTime: ["createdAt", "id"], byStatus: "status", byEnd: "endedAt" } },
  journal: { key: ["run", "seq"], indexes: { byName: ["run", "name"] } },
  principalCounts: { key: "principal", indexes: { byEnd: "forgetAt" } },
  sessionTotals: { key: ["principal", "session"], indexes: { byEnd: "forgetAt" } },
  chains: { key: "writer" },
  records: {
    key: ["writer", "seq"],
    indexes: { byTime: ["at", "writer", "seq"], bySubject: ["subject", "step", "type", "writer", "seq"] },
  },
  events: { key: "seq" },
} as const satisfies Record<string, TableShape>

type TableShape = {
  readonly key: string | readonly string[]
  readonly indexes?: Readonly<Record<string, string | readonly string[]>>
}

export type TableName = keyof typeof tables

/** An object store of the transaction under way. */
export type Table = (name: TableName) => IDBObjectStore
export const allTables = Object.keys(tables) as readonly TableName[]

export function openDatabase(factory: IDBFactory, name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = factory.open(name, version)
    opening.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) createTables(opening.result)
    }
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(storeErrorOf(opening.error))
    opening.onblocked = () =>
      reject(new StoreError("busy", "An older version of Byleave has this browser's store open. Close it first."))
  })
}

function createTables(database: IDBDatabase): void {
  for (const [name, { key, indexes = {} }] of Object.entries<TableShape>(tables)) {
    const table = database.createObjectStore(name, { keyPath: typeof key === "string" ? key : [...key] })
    for (const [index, path] of Object.entries(indexes)) {
      table.createIndex(index, typeof path === "string" ? path : [...path])
    }
  }
}

/** Resolves with what a request gives. The transaction stays open while its callbacks ask for more. */
export function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(storeErrorOf(request.error))
  })
}

/** Runs work in one transaction; resolves once it is committed, and rejects when none of it is. */
export async function inTransaction<Result>(
  database: IDBDatabase,
  options: { readonly mode: "readonly" | "readwrite"; readonly durability?: IDBTransactionDurability },
  names: readonly TableName[],
  work: (table: Table) => Promise<Result>,
): Promise<Result> {
  const transaction = begin(database, options, names)
  const committed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(storeErrorOf(transaction.error))
  })
  // Whoever waits below hears of it.
  committed.catch(() => {})
  try {
    const result = await work((name) => transaction.objectStore(name))
    if (options.mode === "readwrite") transaction.commit()
    await committed
    return result
  } catch (error) {
    abort(transaction)
    throw error
  }
}

function begin(
  database: IDBDatabase,
  { mode, durability = "default" }: Parameters<typeof inTransaction>[1],
  names: readonly TableName[],
): IDBTransaction {
  try {
    return database.transaction([...names], mode, { durability })
  } catch (error) {
    throw storeErrorOf(error)
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It has ended already.
  }
}

const codes: ReadonlyMap<string, readonly [code: StoreError["code"], words: string]> = new Map([
  ["QuotaExceededError", ["full", "The browser gives Byleave no more room. Free some, then try again."]],
  ["VersionError", ["too-new", "This browser's store was written by a newer Byleave. Update the extension."]],
  ["InvalidStateError", ["gone", "The browser has closed Byleave's store. Open the panel again."]],
  ["NotFoundError", ["corrupt", "The browser's store lacks a table that Byleave needs."]],
])

/** A failure of the browser's database, or of our own work in a transaction, as whoever calls a store expects it. */
function storeErrorOf(cause: unknown): Error {
  if (cause instanceof StoreError || cause instanceof TypeError) return cause
  const name = cause instanceof Error || cause instanceof DOMException ? cause.name : ""
  const [code, words] = codes.get(name) ?? ["unavailable", "The browser's store did not do what was asked of it."]
  return new StoreError(code, words, { cause })
}
