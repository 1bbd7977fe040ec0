/** The speed of the disk itself: one row per commit by node:sqlite, with nothing of ours around it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { DatabaseSync } from "node:sqlite"

export type DiskNumbers = { readonly fullCommitsPerSecond: number; readonly normalCommitsPerSecond: number }

export function measureDisk(within = tmpdir()): DiskNumbers {
  const folder = mkdtempSync(join(within, "byleave-bench-"))
  const database = new DatabaseSync(join(folder, "raw.db"))
  try {
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE rows (n INTEGER PRIMARY KEY, text TEXT)")
    const fullCommitsPerSecond = commitsPerSecond(database, "FULL")
    return { fullCommitsPerSecond, normalCommitsPerSecond: commitsPerSecond(database, "NORMAL") }
  } finally {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function commitsPerSecond(database: DatabaseSync, synchronous: "FULL" | "NORMAL"): number {
  database.exec(`PRAGMA synchronous = ${synchronous}`)
  const insert = database.prepare("INSERT INTO rows (text) VALUES (?)")
  const text = "x".repeat(800)
  const started = performance.now()
  let commits = 0
  while (performance.now() - started < 2_000) {
    database.exec("BEGIN IMMEDIATE")
    insert.run(text)
    database.exec("COMMIT")
    commits += 1
  }
  return Math.round((commits * 1_000) / (performance.now() - started))
}
