/**
 * Records that are committed but not in the database yet: files beside it, one line per record, until a transaction takes them in. One
 * short write costs a twentieth of a transaction, and survives the death of this process just as well.
 *
 * There are two, since the log of a transaction comes to disk after it: until then the file whose records it took in stays as it is, and what
 * comes goes to the other. A file is written over from its beginning and not cut, so that its length rarely changes and flushing it is cheap. Lines that
 * an earlier round left after the last line are in the database, and so are not taken in again.
 *
 * I1. What was appended is found by whoever opens the database next, until a transaction with it is on disk.
 * I2. A file is written over only once the very transaction that took its records in is on disk.
 * I3. Of a batch that could not be written nothing is left.
 * I4. A line that was not written whole is not taken in.
 * I5. Only what continues its chain is taken in, once and in order; whatever else stands there keeps nothing of it away.
 * I6. Nothing that was removed from the database is left in a file.
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { promisify } from "node:util"
import { type Hasher, recordHash } from "@byleave/core"
import type { AheadRow } from "../tables/chain-table.ts"

export type AheadFiles = {
  /** All of them or none; throws when they cannot be written, and then none is there. */
  readonly append: (rows: readonly AheadRow[]) => void
  /** Flushes appended rows to disk. */
  readonly sync: () => Promise<void>
  /** All that was appended is in the database; with `isOnDisk`, in a way that a power cut does not undo. */
  readonly tookIn: (isOnDisk: boolean) => void
  /** Call this before the database's log is flushed to disk, and the returned function after. */
  readonly beforeLogSync: () => () => void
  /** Leaves nothing on disk of rows that were taken in. */
  readonly erase: () => void
  /** For good; without `isTakenIn` they are left for the next process that opens the database. */
  readonly close: (isTakenIn: boolean) => Promise<void>
}

type AheadFile = {
  readonly path: string
  readonly file: number
  length: number
  /** Numbers the transaction that took its records in and is not on disk yet; null when there is none. */
  neededFor: number | null
}

const flush = promisify(fdatasync)
/** A longer file is truncated once it is no longer needed. */
const keptBytes = 4 * 1024 * 1024

export function openAheadFiles(database: string): AheadFiles {
  const files = pathsOf(database).map(openFile)
  let [current, other] = files as [AheadFile, AheadFile]
  syncFolder(dirname(database))
  let taken = 0
  let isSynced = true
  let lastSync: Promise<void> = Promise.resolve()
  return {
    append: (rows) => {
      appendLines(current, rows)
      isSynced = false
    },
    sync: async () => {
      if (isSynced) return
      isSynced = true
      lastSync = flush(current.file)
      try {
        await lastSync
      } catch (error) {
        isSynced = false
        throw error
      }
    },
    tookIn: (isOnDisk) => {
      if (isOnDisk) files.forEach(release)
      else if (current.length > 0 && other.neededFor === null) {
        current.neededFor = ++taken
        ;[current, other] = [other, current]
      }
    },
    beforeLogSync: () => {
      const [file, neededFor] = [other, other.neededFor]
      return () => {
        if (neededFor !== null && file.neededFor === neededFor) release(file)
      }
    },
    erase: () => {
      for (const { file, length } of files) ftruncateSync(file, length)
    },
    close: async (isTakenIn) => {
      await lastSync.catch(() => {})
      for (const { file, path } of files) {
        closeSync(file)
        if (isTakenIn) rmSync(path, { force: true })
      }
    },
  }
}

/** The rows of an earlier process are in the database by now, so the file is emptied. */
function openFile(path: string): AheadFile {
  return { path, file: openSync(path, "w", 0o600), length: 0, neededFor: null }
}

/** A file that is on disk is found again only when its name is, too. Not every system has folders that can be flushed. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function appendLines(to: AheadFile, rows: readonly AheadRow[]): void {
  let lines = ""
  for (const row of rows) lines += `${lineOf(row)}\n`
  const bytes = Buffer.byteLength(lines)
  try {
    if (writeSync(to.file, lines, to.length) < bytes) throw new Error("The disk is full.")
  } catch (error) {
    ftruncateSync(to.file, to.length)
    throw error
  }
  to.length += bytes
}

function release(file: AheadFile): void {
  if (file.length > keptBytes) ftruncateSync(file.file, 0)
  file.length = 0
  file.neededFor = null
}

/**
 * The rows left by a process that ended before it could take them in, and maybe some that it did take in. A last line that was not written whole was
 * never committed; lines after an invalid one are of an earlier round.
 */
export function leftAhead(database: string): readonly AheadRow[] {
  const rows = pathsOf(database).filter(existsSync).flatMap(wholeRows)
  return rows.sort(([a], [b]) => a - b)
}

function wholeRows(path: string): readonly AheadRow[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  const rows: AheadRow[] = []
  for (const line of lines) {
    const row = rowOf(line)
    if (row === null) break
    rows.push(row)
  }
  return rows
}

/** The rows that follow the end of their chain, one after the other; all others are not ours to take in. */
export function following(
  rows: readonly AheadRow[],
  hashAt: (position: number) => string | undefined,
  hasher: Hasher,
): readonly AheadRow[] {
  const taken: AheadRow[] = []
  let last: AheadRow | undefined
  for (const row of rows) {
    const [position, , , , , hash, text] = row
    if (hashAt(position) !== undefined) continue
    // A chain's first record is never ahead: what follows nothing is none of ours.
    const before = last?.[0] === position - 1 ? last[5] : hashAt(position - 1)
    if (before === undefined || recordHash(before, text, hasher) !== hash) continue
    taken.push(row)
    last = row
  }
  return taken
}

function pathsOf(database: string): readonly string[] {
  return [`${database}-ahead`, `${database}-ahead-2`]
}

/** Record and payload are JSON already, and mostly on one line: quoting them once more would cost as much as all the rest. */
function lineOf(row: AheadRow): string {
  const [position, at, step, type, subject, hash, text, payload, use] = row
  if (payload === "" || isSplit.test(text) || isSplit.test(payload ?? "")) return JSON.stringify(row)
  const line = `${JSON.stringify([position, at, step, type, subject, hash])}\t${text}\t${payload ?? ""}`
  return use === undefined ? line : `${line}\t${JSON.stringify(use)}`
}

const isSplit = /[\t\n]/

function rowOf(line: string): AheadRow | null {
  const [first = "", text, payload, use, ...more] = line.split("\t")
  try {
    const row: unknown = JSON.parse(first)
    if (!Array.isArray(row) || more.length > 0) return null
    if (payload !== undefined) row.push(text, payload === "" ? null : payload)
    if (use !== undefined) row.push(JSON.parse(use))
    const isWhole = row.length === 8 || row.length === 9
    return isWhole && Number.isSafeInteger(row[0]) ? (row as unknown as AheadRow) : null
  } catch {
    return null
  }
}
