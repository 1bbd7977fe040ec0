import { rosterIsSigned, type SignedRoster, type Signer, signRoster } from "@byleave/core"

/**
 * The roster with one more writer. `before` is undefined only where no chain was ever opened. A roster that is not signed with our key,
 * whichever key it names, is not signed over: its broken or foreign signature stays, and verification goes on noticing.
 */
export function extendRoster(before: SignedRoster | undefined, writer: string, signer: Signer): SignedRoster {
  const writers = [...(before?.writers ?? []), writer]
  const isForged = before !== undefined && !rosterIsSigned(before, signer)
  return isForged ? { ...before, writers } : signRoster(writers, signer)
}
