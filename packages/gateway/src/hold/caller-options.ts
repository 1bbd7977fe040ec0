import type { Approval, SubmitOptions } from "@byleave/core"
import { type Exchange, isWanted } from "../wire/exchange.ts"
import type { HoldContext } from "./context.ts"
import type { Holding } from "./holding.ts"
import { askInClient } from "./in-client.ts"

/** The options with which the gate waits for this caller, and asks it. `onHeld`: told last. */
export function optionsFor(
  context: HoldContext,
  exchange: Exchange,
  holding: Holding,
  onHeld: (approval: Approval) => void = () => {},
): SubmitOptions {
  return {
    isWanted: () => isWanted(exchange),
    until: holding.until,
    onHeld: (approval) => {
      if (approval.status === "pending") {
        holding.begin(approval)
        askInClient(context, exchange, approval).catch((error: unknown) =>
          context.log(`The client could not be asked about ${approval.id}: ${String(error)}`),
        )
      } else {
        // Approved before: it runs, and nobody is asked.
        holding.follow(approval.id)
      }
      onHeld(approval)
    },
    received: () => isReceived(exchange),
  }
}

export function isReceived(exchange: Exchange): Promise<boolean> {
  return exchange.delivered?.() ?? received
}

export const received = Promise.resolve(true)
