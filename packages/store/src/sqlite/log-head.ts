import { closeSync, existsSync, openSync, readSync } from "node:fs"

/**
 * Whether anyone has committed, told by the head of SQLite's log: the first bytes of the file beside the database that all connections map,
 * which every commit changes, whoever makes it. Reading them costs a tenth of asking SQLite.
 */
export type LogHead = {
  /** Reads it; whether it is as it was when last kept. */
  readonly isAsKept: () => boolean
  /** Keeps what was last read. */
  readonly keep: () => void
  /** To be called after the database is closed: with this file goes every lock this process has on it. */
  readonly close: () => void
}

/** Up to where SQLite's documentation ("WAL-index format") puts the copy of the head. */
const headBytes = 48

/** Null where there is no such file, or where reading a file need not show what others have mapped. */
export function openLogHead(database: string): LogHead | null {
  const path = `${database}-shm`
  if (process.platform !== "linux" || !existsSync(path)) return null
  const file = openSync(path, "r")
  const read = Buffer.alloc(headBytes)
  const kept = Buffer.alloc(headBytes)
  let isWhole = false
  let isKept = false
  return {
    isAsKept: () => {
      isWhole = readSync(file, read, 0, headBytes, 0) === headBytes
      return isWhole && isKept && read.equals(kept)
    },
    keep: () => {
      isKept = isWhole
      read.copy(kept)
    },
    close: () => closeSync(file),
  }
}
