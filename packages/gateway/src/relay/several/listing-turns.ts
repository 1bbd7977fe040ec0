/**
 * Listings of one agent take turns: each is long work for a short question.
 *
 * I1. No principal has more listings of one path in work than a few, however many it asks for at once.
 * I2. Other requests get their turn between two listings.
 */
import { setImmediate } from "node:timers/promises"
import type { Backend, Exchange } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"

const mostAtOnce = 2

type Turns = { running: number; readonly waiting: Array<() => void> }

/** The same backend, with the listings of each principal one after the other. */
export function withListingTurns(backend: Backend): Backend {
  const byPrincipal = new Map<string, Turns>()
  const enter = async (principal: string): Promise<() => void> => {
    const turns = byPrincipal.get(principal) ?? { running: 0, waiting: [] }
    byPrincipal.set(principal, turns)
    if (turns.running < mostAtOnce) turns.running += 1
    // A listing that ends hands its place over.
    else await new Promise<void>((resolve) => turns.waiting.push(resolve))
    return () => {
      const next = turns.waiting.shift()
      if (next !== undefined) return void setImmediate().then(next)
      turns.running -= 1
      if (turns.running === 0) byPrincipal.delete(principal)
    }
  }
  const inTurn = async (exchange: Exchange): Promise<Reply> => {
    const leave = await enter(exchange.caller.principal.id)
    try {
      return await backend.handle(exchange)
    } finally {
      leave()
    }
  }
  return {
    ...backend,
    handle: (exchange) => (exchange.ask.method.endsWith("/list") ? inTurn(exchange) : backend.handle(exchange)),
  }
}
