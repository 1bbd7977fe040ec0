import { randomUUID } from "node:crypto"
import type { EpochMs, Hasher, Signer, Store } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { start } from "./samples.ts"

/** The ports that a store under test is opened with. */
export type ContractPorts = {
  readonly hasher: Hasher
  readonly signer: Signer
  readonly newId: () => string
  readonly now: () => EpochMs
  /** The time that passes, which is not the clock. */
  readonly elapsed: () => number
}

export type StoreUnderTest = {
  readonly store: Store
  /** Closes it and opens the same truth again, as after a restart. */
  readonly reopen: () => Promise<Store>
  /** Another connection to the same truth, as another process would have. */
  readonly second: () => Promise<Store>
  /** How many rows of counts there are, where that can be seen. */
  readonly rows?: () => Promise<CountedRows>
  /** Closes everything that was opened and removes it. */
  readonly dispose: () => Promise<void>
}

export type CountedRows = { readonly principals: number; readonly sessions: number }

export type OpenStore = (ports: ContractPorts) => Promise<StoreUnderTest>

export type TestClock = { now: EpochMs; elapsed: number }
export type Kit = StoreUnderTest & { readonly ports: ContractPorts; readonly clock: TestClock }
export type WithStore = (body: (kit: Kit) => Promise<void>) => () => Promise<void>

const signer = ed25519Signer(newSigningKey())

/** Gives each test a new store and disposes of it. */
export function storeFor(open: OpenStore): WithStore {
  return (body) => async () => {
    const clock: TestClock = { now: start, elapsed: 0 }
    const times = { now: () => clock.now, elapsed: () => clock.elapsed }
    const ports: ContractPorts = { hasher: nodeHasher, signer, newId: randomUUID, ...times }
    const opened = await open(ports)
    try {
      await body({ ...opened, ports, clock })
    } finally {
      await opened.dispose()
    }
  }
}
