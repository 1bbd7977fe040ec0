/**
 * How often a PIN may be guessed.
 *
 * I1. After five wrong PINs there is one try a minute, whatever process is asked.
 * I2. A try counts before it is made: guesses at the same moment get no more of them.
 * I3. A try that cannot be counted is not given.
 */
import { findCredential } from "./credential-book.ts"
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import { writeCredential } from "./stored-credentials.ts"

const freeTries = 5
const waitMs = 60_000
const maxAttempts = 5

/** Counts a try before it is made, in the store, so that neither a race nor a restart gives more of them. */
export async function takePinTry(ports: CredentialPorts, reviewer: string): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const tries = await findCredential(ports, "pin-tries", reviewer)
    const now = timeOf(ports)
    const { failures = 0, lastAt = 0 } = tries?.value ?? {}
    if (failures >= freeTries && now - lastAt < waitMs) return false
    const value = { version: 1 as const, failures: failures + 1, lastAt: now }
    const put = writeCredential("pin-tries", reviewer, value, { replaces: tries?.at ?? null })
    const taken = await ports.store.commit({ at: now, documents: [put], records: [], events: [], durability: "full" })
    if (taken.ok) return true
  }
  return false
}

/** A right PIN forgets the wrong ones. */
export function triesForgotten(reviewer: string) {
  return { remove: { kind: "pin-tries", id: reviewer }, replaces: null }
}
