import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, it } from "vitest"
import { openDatabase } from "../database-file.ts"
import { createTransaction } from "./transactions.ts"

let folder: string
let database: DatabaseSync
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-transactions-"))
  database = openDatabase({ path: join(folder, "byleave.db") })
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

it("I2: flushes the disk for what is to be there in full, every time, and not for what may be there soon", () => {
  const transaction = createTransaction(database)
  const level = (durability: "full" | "soon"): unknown =>
    transaction(durability, () => database.prepare("PRAGMA synchronous").get()?.synchronous)
  expect([level("soon"), level("full"), level("full"), level("soon"), level("full")]).toEqual([1, 2, 2, 1, 2])
})

it("keeps nothing of work that throws, and can be used again", () => {
  const transaction = createTransaction(database)
  const epoch = (): unknown => database.prepare("SELECT epoch FROM state").get()?.epoch
  const failing = (): void =>
    transaction("full", () => {
      database.exec("UPDATE state SET epoch = 7")
      throw new Error("changed its mind")
    })
  expect(failing).toThrow("changed its mind")
  expect(epoch()).toBe(0)
  transaction("full", () => database.exec("UPDATE state SET epoch = 8"))
  expect(epoch()).toBe(8)
})

it("throws at once while another connection writes", () => {
  const other = new DatabaseSync(join(folder, "byleave.db"))
  other.exec("BEGIN IMMEDIATE")
  const transaction = createTransaction(database)
  expect(() => transaction("soon", () => undefined)).toThrow(/locked/)
  other.close()
  expect(transaction("soon", () => "done")).toBe("done")
})
