import type { Approval, SubmitOptions } from "@byleave/core"
import type { Exchange } from "../wire/exchange.ts"
import type { HoldContext } from "./context.ts"
import type { Holding } from "./holding.ts"
import { askInClient } from "./in-client.ts"

/** What a gate that waits asks of whoever called. */
export function optionsFor(context: HoldContext, exchange: Exchange, holding: Holding): SubmitOptions {
  return new CallerOptions(context, exchange, holding)
}

// A class for its getter: in a literal it would give every object a shape of its own, and each call makes one.
class CallerOptions implements SubmitOptions {
  readonly #holding: Holding
  readonly onHeld: (approval: Approval) => void
  readonly received: () => Promise<boolean>

  constructor(context: HoldContext, exchange: Exchange, holding: Holding) {
    this.#holding = holding
    this.onHeld = (approval) => {
      holding.begin(approval)
      askInClient(context, exchange, approval).catch((error: unknown) =>
        context.log(`The client could not be asked about ${approval.id}: ${String(error)}`),
      )
    }
    this.received = () => isReceived(exchange)
  }

  /** Read only by a gate that waits: an allowed call then listens to nobody's leaving. */
  get until(): Promise<void> {
    return this.#holding.until()
  }
}

export function isReceived(exchange: Exchange): Promise<boolean> {
  return exchange.delivered?.() ?? received
}

export const received = Promise.resolve(true)
