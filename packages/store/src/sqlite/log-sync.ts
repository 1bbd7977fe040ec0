import { closeSync, existsSync, fdatasync, openSync } from "node:fs"
import { promisify } from "node:util"

/** Brings SQLite's log to disk beside everything else that goes on: a flush within a transaction keeps the event loop waiting. */
export type LogSync = {
  readonly sync: () => Promise<void>
  /** To be called before the database is closed. */
  readonly close: () => Promise<void>
}

const flush = promisify(fdatasync)

/** Null where there is no such log, as of a database in memory. */
export function openLogSync(database: string): LogSync | null {
  const path = `${database}-wal`
  if (!existsSync(path)) return null
  const file = openSync(path, "r+")
  let last: Promise<void> = Promise.resolve()
  let isClosed = false
  return {
    sync: () => {
      if (!isClosed) last = flush(file)
      return last
    },
    close: async () => {
      isClosed = true
      await last.catch(() => {})
      closeSync(file)
    },
  }
}
