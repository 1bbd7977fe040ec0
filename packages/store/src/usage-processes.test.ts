import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { newSigningKey } from "@byleave/core/node"
import pg from "pg"
import { describe, expect, it } from "vitest"

const program = fileURLToPath(new URL("./fixtures/racing-process.ts", import.meta.url))
const key = newSigningKey()
const url = process.env.BYLEAVE_TEST_POSTGRES ?? ""

/** Starts them, lets them begin together, and gives how many calls passed at each. */
async function race(processes: number, where: string, schema: string, most: number): Promise<readonly number[]> {
  const running = Array.from({ length: processes }, () =>
    spawn(process.execPath, [program, where, key, "40", schema, String(most)], { stdio: ["pipe", "pipe", "inherit"] }),
  )
  const lines = running.map(linesOf)
  for (const each of lines) await each.next()
  for (const child of running) child.stdin?.write("go\n")
  return Promise.all(lines.map(async (each) => Number((await each.next()).value)))
}

function linesOf(child: ChildProcess): AsyncIterator<string> {
  if (child.stdout === null) throw new Error("no output to read")
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]()
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

describe("two processes that race for the last calls an agent may run", () => {
  it("let no more pass than the limit, on SQLite, and a later one none", async () => {
    const folder = mkdtempSync(join(tmpdir(), "byleave-usage-"))
    try {
      const path = join(folder, "byleave.db")
      expect(sum(await race(2, path, "", 50))).toBe(50)
      expect(await race(1, path, "", 50)).toEqual([0])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.skipIf(url === "")("let no more pass than the limit, on PostgreSQL, and a later one none", async () => {
    const schema = `test ${randomUUID()}`
    try {
      expect(sum(await race(2, url, schema, 50))).toBe(50)
      expect(await race(1, url, schema, 50)).toEqual([0])
    } finally {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`)
      await client.end()
    }
  })
})
