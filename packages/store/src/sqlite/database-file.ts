import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { StoreError } from "@byleave/core"
import { grantsBySession, migrations, runsSummarized, summarized } from "./migrations.ts"
import { storeError } from "./sqlite-error.ts"
import { addGrantSessions, addRunSummaries, addSummaries } from "./tables/add-summaries.ts"

/** "Byle" in ASCII: what marks a SQLite file as ours. */
const applicationId = 0x4279_6c65
const signature = "SQLite format 3\0"
const pageBytes = 4_096

export type DatabaseOptions = { readonly path: string; readonly maxBytes?: number }

/** Opens the file, or makes it, at the newest schema. Throws a `StoreError` when it is not ours to write. */
export function openDatabase({ path, maxBytes }: DatabaseOptions): DatabaseSync {
  mustBeWritable(path)
  if (existsSync(path)) mustBeOurs(path)
  const database = new DatabaseSync(path)
  try {
    database.exec("PRAGMA busy_timeout = 0")
    useLog(database)
    // Data that retention removes must not linger in unused parts of the file.
    database.exec("PRAGMA secure_delete = ON")
    database.exec("PRAGMA cache_size = -8000")
    // The same few pages grow with every commit; copied into the file four times as seldom, they are copied less often.
    database.exec("PRAGMA wal_autocheckpoint = 4000")
    if (maxBytes !== undefined) database.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / pageBytes)}`)
    migrate(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function mustBeWritable(path: string): void {
  const folder = dirname(path)
  if (!existsSync(folder)) {
    throw new StoreError("gone", `There is no folder ${folder} to keep the store in. Create it first.`)
  }
  try {
    accessSync(folder, constants.W_OK)
    if (existsSync(path)) accessSync(path, constants.W_OK)
  } catch (cause) {
    throw storeError("read-only", cause)
  }
}

// SQLite would quietly begin anew over a file too short to be a database.
function mustBeADatabase(path: string): void {
  const start = Buffer.alloc(signature.length)
  const file = openSync(path, "r")
  try {
    readSync(file, start)
  } finally {
    closeSync(file)
  }
  if (start.toString("latin1") !== signature) throw notOurs(path)
}

function notOurs(path: string): StoreError {
  return new StoreError(
    "corrupt",
    `${path} is not a Byleave store. Choose another file, or restore a copy of the store.`,
  )
}

// By a connection that cannot write, so that nothing of a file that is not ours is touched.
function mustBeOurs(path: string): void {
  const found = statSync(path)
  if (!found.isFile()) throw notOurs(path)
  if (found.size === 0) return
  mustBeADatabase(path)
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = number(database, "SELECT count(*) AS value FROM sqlite_schema")
    if (tables === 0) return
    if (number(database, "SELECT application_id AS value FROM pragma_application_id") !== applicationId)
      throw notOurs(path)
    const version = versionOf(database)
    if (version > migrations.length) {
      throw new StoreError(
        "too-new",
        `${path} was written by a newer Byleave (schema ${version}). Update Byleave to open it.`,
      )
    }
  } finally {
    database.close()
  }
}

function useLog(database: DatabaseSync): void {
  const mode = database.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode
  if (mode !== "wal")
    throw new StoreError("unavailable", "The store needs a local disk; this file system lacks what SQLite's log needs.")
}

function migrate(database: DatabaseSync): void {
  if (versionOf(database) === migrations.length) return
  database.exec("PRAGMA synchronous = FULL")
  database.exec("BEGIN IMMEDIATE")
  try {
    // Read again: another process may have been faster.
    const from = versionOf(database)
    for (const step of migrations.slice(from)) database.exec(step)
    if (from < summarized) addSummaries(database)
    if (from < runsSummarized) addRunSummaries(database)
    if (from < grantsBySession) addGrantSessions(database)
    database.exec(`PRAGMA application_id = ${applicationId}`)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
    database.exec("COMMIT")
  } catch (error) {
    rollBack(database)
    throw error
  }
}

export function rollBack(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK")
  } catch {
    // SQLite has already rolled back by itself, as it does on a full disk.
  }
}

function versionOf(database: DatabaseSync): number {
  return number(database, "SELECT user_version AS value FROM pragma_user_version")
}

function number(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).get()?.value)
}
