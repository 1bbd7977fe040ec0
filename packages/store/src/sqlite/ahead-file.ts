/**
 * Records that are committed but not in the database yet: a file beside it that only grows, one line per record, until the next
 * transaction takes them in. One short write costs a twentieth of a transaction, and survives the death of this process just as well.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { emptyChain, type Hasher, recordHash } from "@byleave/core"
import type { AuditRow } from "./chain-table.ts"

export type AheadFile = {
  /** All of them or none; throws when they cannot be written, and then none is there. */
  readonly append: (rows: readonly AuditRow[]) => void
  /** What was in it is in the database. */
  readonly clear: () => void
  /** The same, for good; without `isTakenIn` it is left for whoever opens the database next. */
  readonly close: (isTakenIn: boolean) => void
}

export function openAheadFile(database: string): AheadFile {
  const path = pathOf(database)
  // Whatever an earlier process left is in the database by now.
  const file = openSync(path, "w", 0o600)
  let length = 0
  return {
    append: (rows) => {
      let lines = ""
      for (const row of rows) lines += `${JSON.stringify(row)}\n`
      const bytes = Buffer.byteLength(lines)
      try {
        if (writeSync(file, lines, length) < bytes) throw new Error("The disk is full.")
      } catch (error) {
        ftruncateSync(file, length)
        throw error
      }
      length += bytes
    },
    clear: () => {
      if (length > 0) ftruncateSync(file, 0)
      length = 0
    },
    close: (isTakenIn) => {
      closeSync(file)
      if (isTakenIn) rmSync(path, { force: true })
    },
  }
}

/** What a process left there that ended before it could take it in. A last line that was not written whole was never committed. */
export function leftAhead(database: string): readonly AuditRow[] {
  const path = pathOf(database)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  const rows: AuditRow[] = []
  for (const line of lines) {
    const row = rowOf(line)
    if (row === null) break
    rows.push(row)
  }
  return rows
}

/** Those that follow, one after the other, where their chain ends; what does not is not ours to take in. */
export function following(
  rows: readonly AuditRow[],
  hashAt: (position: number) => string | undefined,
  hasher: Hasher,
): readonly AuditRow[] {
  const taken: AuditRow[] = []
  let last: AuditRow | undefined
  for (const row of rows) {
    const [position, , , , , hash, text] = row
    if (hashAt(position) !== undefined) continue
    const before = last?.[0] === position - 1 ? last[5] : hashAt(position - 1)
    if (recordHash(before ?? emptyChain("").hash, text, hasher) !== hash) break
    taken.push(row)
    last = row
  }
  return taken
}

function pathOf(database: string): string {
  return `${database}-ahead`
}

function rowOf(line: string): AuditRow | null {
  try {
    const row: unknown = JSON.parse(line)
    return Array.isArray(row) && row.length === 8 ? (row as unknown as AuditRow) : null
  } catch {
    return null
  }
}
