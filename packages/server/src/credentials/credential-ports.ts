import type { EpochMs, Hasher, Redactor, Store } from "@byleave/core"

/** How PINs are kept; slow on purpose, so it is the platform's affair. */
export type PinHash = {
  readonly make: (pin: string) => Promise<string>
  readonly check: (pin: string, stored: string) => Promise<boolean>
}

export type CredentialPorts = {
  readonly store: Pick<Store, "now" | "commit" | "decisionState" | "document" | "documents" | "subscribe">
  readonly now: () => EpochMs
  readonly hasher: Hasher
  readonly redactor: Redactor
  readonly pinHash: PinHash
  /** `none`: a person is taken to be there whenever a registered device asks. */
  readonly presence: () => "pin" | "none"
  /** Groups the configuration puts a reviewer into, besides those kept with the reviewer. */
  readonly groupsOf?: (reviewer: string) => readonly string[]
  /** Does reads whose answer is for all who ask meanwhile; absent: they are done for whoever asked first. */
  readonly forAll?: <Result>(read: () => Result) => Result
}

/** The store's time. */
export function timeOf({ store, now }: Pick<CredentialPorts, "store" | "now">): EpochMs {
  return store.now(now())
}
