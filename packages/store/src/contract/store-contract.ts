import { describe } from "vitest"
import { chainContract } from "./chain-contract.ts"
import { commitContract } from "./commit-contract.ts"
import { type OpenStore, storeFor } from "./contract-kit.ts"
import { decisionContract } from "./decision-contract.ts"
import { documentContract } from "./document-contract.ts"
import { eventsContract } from "./events-contract.ts"
import { heldContract } from "./held-contract.ts"
import { journalContract } from "./journal-contract.ts"
import { readingContract } from "./reading-contract.ts"
import { retentionContract } from "./retention-contract.ts"
import { runContract } from "./run-contract.ts"
import { runQueriesContract } from "./run-queries-contract.ts"
import { usageContract } from "./usage-contract.ts"

export type ContractOptions = {
  /** Why this store cannot be tried here; skips the suite and says so. */
  readonly skip?: string
  /** No other process counts calls while it is open. */
  readonly countsAlone?: true
}

/** The behaviour every store must show. */
export function storeContract(name: string, open: OpenStore, options: ContractOptions = {}): void {
  const title = options.skip === undefined ? `${name} store` : `${name} store (skipped: ${options.skip})`
  describe.skipIf(options.skip !== undefined)(title, () => {
    const withStore = storeFor(open)
    describe("commits", () => commitContract(withStore))
    describe("the basis of decisions", () => decisionContract(withStore))
    describe("documents", () => documentContract(withStore))
    describe("agent runs", () => {
      runContract(withStore)
      runQueriesContract(withStore)
    })
    describe("journals of runs", () => journalContract(withStore))
    describe("what waits", () => heldContract(withStore))
    describe("what runs unasked", () => usageContract(withStore, options.countsAlone === true))
    describe("reading", () => readingContract(withStore))
    describe("chains", () => chainContract(withStore))
    describe("events, time and closing", () => eventsContract(withStore))
    describe("retention", () => retentionContract(withStore))
  })
}
