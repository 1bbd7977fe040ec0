import type { Difference } from "./compare.ts"
import type { PairingName } from "./pairings.ts"

/** A difference from the direct result that the protocol forces on whoever stands between these two eras. */
export type ExpectedDifference = Pick<Difference, "scenario" | "check" | "through"> & { readonly reason: string }

export const expectedDifferences: Readonly<Record<PairingName, readonly ExpectedDifference[]>> = {
  "legacy client, dual server": [],
  "modern client, dual server": [],
  "modern client, legacy server": [],
  "legacy client, modern server": [],
}
