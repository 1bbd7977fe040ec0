import type { Exchange } from "../wire/exchange.ts"

export type Withdrawal = { readonly withdraw: () => void; readonly drop: () => void }

/** An exchange and the two ways it can lose its caller. Signals are made when first looked at: most requests end before. */
export function makeExchange(parts: Omit<Exchange, "withdrawn" | "dropped">): Exchange & Withdrawal {
  const withdrawn = lazySignal()
  const dropped = lazySignal()
  return {
    ...parts,
    get withdrawn() {
      return withdrawn.signal()
    },
    get dropped() {
      return dropped.signal()
    },
    withdraw: withdrawn.abort,
    drop: dropped.abort,
  }
}

function lazySignal(): { readonly signal: () => AbortSignal; readonly abort: () => void } {
  let controller: AbortController | undefined
  let aborted = false
  return {
    signal: () => {
      if (controller === undefined) {
        controller = new AbortController()
        if (aborted) controller.abort()
      }
      return controller.signal
    },
    abort: () => {
      aborted = true
      controller?.abort()
    },
  }
}
