import type { JsonObject } from "@byleave/core"
import type { Exchange } from "../wire/exchange.ts"
import type { Reply } from "../wire/message.ts"
import { isReceived } from "./caller-options.ts"
import type { Holding } from "./holding.ts"

/** A reply that a caller gets before its call is over: the task that a legacy server made of it. */
export type EarlyReply = {
  readonly give: (result: JsonObject) => void
  readonly given: Promise<Reply>
  /** Whether the caller received what it was given first. */
  readonly received: () => Promise<boolean>
}

export function createEarlyReply(exchange: Exchange, holding: Holding): EarlyReply {
  const { promise: given, resolve } = Promise.withResolvers<Reply>()
  let isDelivered: Promise<boolean> | null = null
  return {
    give: (result) => {
      // Must be requested before the reply is given: later it cannot be known.
      isDelivered = isReceived(exchange)
      // From here on the exchange's end is no leaving.
      holding.end()
      resolve({ kind: "result", result })
    },
    given,
    received: () => isDelivered ?? isReceived(exchange),
  }
}
