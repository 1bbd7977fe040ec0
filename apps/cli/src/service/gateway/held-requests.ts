import { createHash } from "node:crypto"
import type { HeldRequest, HeldRequests } from "@byleave/gateway"
import type { Documents } from "./documents.ts"

/** As long as a conversation is kept; it is removed once its request is answered, but for those of a process that died. */
const keptMs = 24 * 60 * 60_000
const kind = "held-request"

/** In the store, so that a cancellation counts at whichever replica it arrives. */
export function createHeldRequests(documents: Documents, now: () => number): HeldRequests {
  return {
    put: (request, approval) =>
      documents.put(kind, idOf(request), { approval }, { expiresAt: now() + keptMs, durability: "soon" }),
    get: async (request) => {
      const kept = await documents.get(kind, idOf(request))
      return typeof kept?.approval === "string" ? kept.approval : undefined
    },
    remove: (request) => documents.remove(kind, idOf(request)),
  }
}

/** Clients choose the ids of their requests, of any length. */
function idOf({ conversation, id }: HeldRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([conversation, id]))
    .digest("hex")
}
