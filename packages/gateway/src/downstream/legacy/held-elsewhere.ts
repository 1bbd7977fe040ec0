/**
 * Cancellations of requests that another process is answering: one conversation may be used through several.
 *
 * I1. What is accepted has an effect: a cancellation of a request that nobody knows of is refused, where others may be answering it.
 * I2. It cancels what its own conversation asked for, and only for the principal of that.
 */
import type { CallerGate } from "@byleave/core"
import type { RequestId } from "../../wire/message.ts"
import type { HeldRequests } from "../../wire/ports.ts"

export type HeldElsewhere = {
  /** The request, which is answered here, waits for this approval. Returns how to forget it again. */
  readonly keep: (conversation: string, id: RequestId, approval: string) => () => void
  /** False: it is not known that anybody is asked about such a request. */
  readonly cancel: (conversation: string, id: RequestId, principal: string) => Promise<boolean>
}

type HeldPorts = {
  readonly requests: HeldRequests
  readonly gate: Pick<CallerGate, "cancel">
  readonly log: (line: string) => void
}

export function createHeldElsewhere({ requests, gate, log }: HeldPorts): HeldElsewhere {
  const tell = (error: unknown): void => log(`Which request waits for a person could not be kept: ${String(error)}`)
  const keyOf = (conversation: string, id: RequestId) => ({ conversation, id: JSON.stringify(id) })
  return {
    keep: (conversation, id, approval) => {
      const request = keyOf(conversation, id)
      const kept = requests.put(request, approval).catch(tell)
      return () => void kept.then(() => requests.remove(request)).catch(tell)
    },
    cancel: async (conversation, id, principal) => {
      const approval = await requests.get(keyOf(conversation, id))
      if (approval === undefined) return false
      await gate.cancel(approval, principal)
      return true
    },
  }
}
