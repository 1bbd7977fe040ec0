import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Held until freed, or until this process is gone, however it went: the kernel keeps it. */
export type FolderLock = { readonly free: () => void }

/**
 * Takes a lock on a data folder; null while another process has it. Node has no file locks of its own, SQLite's exclusive
 * transaction on a file that is used for nothing else is one on every platform.
 */
export function takeFolderLock(folder: string, name: "service" | "starting"): FolderLock | null {
  const database = new DatabaseSync(join(folder, `${name}.lock`), { timeout: 0 })
  try {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    return { free: () => database.close() }
  } catch (cause) {
    database.close()
    if (isBusy(cause)) return null
    throw cause
  }
}

/** Whether some process has the lock, this one included. Takes nothing. */
export function isFolderLocked(folder: string, name: "service"): boolean {
  const path = join(folder, `${name}.lock`)
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { timeout: 0, readOnly: true })
  try {
    database.exec("SELECT 1 FROM sqlite_schema")
    return false
  } catch (cause) {
    if (isBusy(cause)) return true
    throw cause
  } finally {
    database.close()
  }
}

const busy = 5

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && "errcode" in cause && Number(cause.errcode) % 256 === busy
}
