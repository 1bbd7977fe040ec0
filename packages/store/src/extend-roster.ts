import { rosterIsSigned, type SignedRoster, type Signer, signRoster } from "@byleave/core"

/**
 * The roster with one more writer. `before` is undefined only where no chain was ever opened. A roster that was tampered
 * with is not signed over: its broken signature stays, and verification goes on noticing.
 */
export function extendRoster(before: SignedRoster | undefined, writer: string, signer: Signer): SignedRoster {
  const writers = [...(before?.writers ?? []), writer]
  const isForged = before !== undefined && before.keyId === signer.keyId && !rosterIsSigned(before, signer)
  return isForged ? { ...before, writers } : signRoster(writers, signer)
}
