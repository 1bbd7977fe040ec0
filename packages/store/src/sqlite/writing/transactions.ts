import type { DatabaseSync } from "node:sqlite"
import type { Change } from "@byleave/core"
import { rollBack } from "../database-file.ts"

/** Runs work alone among all writing processes; all of it is kept, or none. Throws at once when another one writes. */
export type Transaction = <Result>(durability: Change["durability"], work: () => Result) => Result

const synchronous = { full: "PRAGMA synchronous = FULL", soon: "PRAGMA synchronous = NORMAL" } as const

export function createTransaction(database: DatabaseSync): Transaction {
  const begin = database.prepare("BEGIN IMMEDIATE")
  const commit = database.prepare("COMMIT")
  let current: Change["durability"] | null = null
  return (durability, work) => {
    if (current !== durability) database.exec(synchronous[durability])
    current = durability
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      rollBack(database)
      throw error
    }
  }
}

/** Several reads of one moment. */
export function atOneMoment<Result>(database: DatabaseSync, read: () => Result): Result {
  database.exec("BEGIN")
  try {
    return read()
  } finally {
    rollBack(database)
  }
}
