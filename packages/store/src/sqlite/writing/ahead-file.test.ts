import { spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { afterEach, beforeEach, expect, it } from "vitest"
import { chainOf } from "../fixtures/ahead-rows.ts"
import type { AheadRow } from "../tables/chain-table.ts"
import { following, leftAhead, openAheadFiles } from "./ahead-file.ts"

const [opening, ...rows] = chainOf(200)
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-ahead-file-"))
  path = join(folder, "byleave.db")
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The rows taken in by a process that opens a database with the first `inDatabase` records. */
function takenIn(database: string, inDatabase: number): readonly AheadRow[] {
  const there = [opening, ...rows.slice(0, inDatabase)]
  const hashes = new Map(there.map((row) => [row?.[0], row?.[5]]))
  return following(leftAhead(database), (position) => hashes.get(position), nodeHasher)
}

const hashesOf = (some: readonly AheadRow[]): string => some.map((row) => row[5]).join(" ")

type Step =
  | { readonly kind: "append"; readonly count: number }
  | { readonly kind: "take-in" | "take-in-on-disk" | "log" }

const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }).map((count): Step => ({ kind: "append", count })) },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: "take-in" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "take-in-on-disk" }) },
  // Once to begin, once to end: what comes between meets a log that is being brought to disk.
  { weight: 3, arbitrary: fc.constant<Step>({ kind: "log" }) },
)

const append: Step = { kind: "append", count: 2 }
const takeIn: Step = { kind: "take-in" }
const nowOnDisk: Step = { kind: "take-in-on-disk" }
const log: Step = { kind: "log" }
/** The log that is brought to disk has been overtaken: its file is free already, and written anew. */
const overtaken: Step[] = [append, takeIn, log, nowOnDisk, append, takeIn, append, log, append]

it("I1, I2, I5: whatever is under way, neither a death nor a power cut costs a record or doubles one", async () => {
  let round = 0
  const walk = async (steps: readonly Step[]): Promise<void> => {
    round += 1
    const database = join(folder, `${round}.db`)
    const files = openAheadFiles(database)
    let [appended, inDatabase, onDisk] = [0, 0, 0]
    let syncing: { readonly upTo: number; readonly after: () => void } | null = null
    for (const step of steps) {
      if (step.kind === "append") {
        files.append(rows.slice(appended, appended + step.count))
        appended += step.count
      } else if (step.kind === "log") {
        if (syncing === null) syncing = { upTo: inDatabase, after: files.beforeLogSync() }
        else {
          onDisk = Math.max(onDisk, syncing.upTo)
          syncing.after()
          syncing = null
        }
      } else if (appended > inDatabase || step.kind === "take-in-on-disk") {
        inDatabase = appended
        if (step.kind === "take-in-on-disk") onDisk = appended
        files.tookIn(step.kind === "take-in-on-disk")
      }
      for (const there of [inDatabase, onDisk]) {
        expect(hashesOf(takenIn(database, there))).toBe(hashesOf(rows.slice(there, appended)))
      }
    }
    await files.close(true)
  }
  const anySteps = fc.array(anyStep, { maxLength: 40, size: "max" })
  await fc.assert(fc.asyncProperty(anySteps, walk), { numRuns: 200, examples: [[overtaken]] })
})

it("I3: of a batch for which there was no room, nothing is left", ({ skip }) => {
  skip(process.platform === "win32", "Windows has no limit on how large a process makes a file.")
  const program = fileURLToPath(new URL("../fixtures/appending-process.ts", import.meta.url))
  const limited = ["-c", 'ulimit -f 16; exec "$0" "$@"', process.execPath, program, path]
  const { stdout } = spawnSync("sh", limited, { encoding: "utf8" })
  expect(Number(stdout)).toBeGreaterThan(0)
  expect(leftAhead(path)).toHaveLength(Number(stdout))
})

it("I5: what only looks like a record, as a piece of an earlier line may, keeps none away", async () => {
  const files = openAheadFiles(path)
  files.append(rows.slice(0, 3))
  const forged = [1, 0, 0, "call.allowed", null, "hash", "text", null]
  const unplaced = ["first", 0, 0, "call.allowed", null, "hash", "text", null]
  appendFileSync(`${path}-ahead`, `${JSON.stringify(forged)}\n${JSON.stringify(unplaced)}\n`)
  expect(takenIn(path, 0)).toEqual(rows.slice(0, 3))
  await files.close(false)
})
