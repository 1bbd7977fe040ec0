/**
 * Which proofs were used.
 *
 * I1. No proof is taken twice by one process.
 * I2. No proof of a request that changes something is taken twice at all, not after a restart and not by another process.
 * I3. Nothing is forgotten to make room while it could still be used: whoever asks for too much is refused.
 * I4. Whoever asks for too much keeps no other device from being heard.
 */
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import type { Proven } from "./verify-proof.ts"

const keptMs = 150_000
/** Of one device: the holder of a key that may only look cannot keep anybody else from answering. */
const mostKept = 20_000

/** Remembers which proofs were used. */
export type SpentProofs = {
  /** False: it was used before, or nobody can tell. */
  readonly spend: (proven: Proven, changes: boolean) => Promise<boolean>
}

/**
 * Proofs of requests that only read are remembered by this process; those of requests that change something in the store, so that
 * neither another process nor a restart takes one twice. Full means refuse, never forget.
 */
export function createSpentProofs(ports: Pick<CredentialPorts, "store" | "now" | "hasher">): SpentProofs {
  // Only registered devices get here, so there are not many.
  const byDevice = new Map<string, Map<string, number>>()
  return {
    spend: async (proven, changes) => {
      const key = ports.hasher.sha256(JSON.stringify([proven.device, proven.jti]))
      const now = ports.now()
      const spent = byDevice.get(proven.device) ?? new Map<string, number>()
      byDevice.set(proven.device, spent)
      for (const [old, until] of spent) {
        if (until > now) break
        spent.delete(old)
      }
      if (spent.has(key) || spent.size >= mostKept) return false
      spent.set(key, now + keptMs)
      return changes ? spendInStore(ports, key) : true
    },
  }
}

async function spendInStore(ports: Pick<CredentialPorts, "store" | "now">, key: string): Promise<boolean> {
  const at = timeOf(ports)
  const put = { kind: "proof", id: key, version: 1, value: {}, expiresAt: at + keptMs }
  const documents = [{ put, replaces: null }]
  return (await ports.store.commit({ at, documents, records: [], events: [], durability: "soon" })).ok
}
