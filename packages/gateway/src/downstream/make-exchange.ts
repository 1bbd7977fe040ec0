import type { Exchange } from "../wire/exchange.ts"
import { createSignal } from "../wire/signal.ts"

export type Withdrawal = { readonly withdraw: () => void; readonly drop: () => void }

/** An exchange and the two ways it can lose its caller. */
export function makeExchange(parts: Omit<Exchange, "withdrawn" | "dropped">): Exchange & Withdrawal {
  const withdrawn = createSignal()
  const dropped = createSignal()
  return { ...parts, withdrawn, dropped, withdraw: withdrawn.abort, drop: dropped.abort }
}
