/**
 * Bounds the large replies that one principal has not read: it may ask for many and read none of them.
 *
 * I1. What one principal leaves unread takes up no more than its limit; nobody else's replies count for it. All together have a limit, too.
 * I2. A reply counts from when it is written until its connection has taken it, or is gone.
 */
import { largeAnswer, type UnreadAnswer, type UnreadBudget } from "@byleave/core"
import type { FrontResponse } from "./front-message.ts"

/** In characters. Smaller replies are written as they come: the number of replies at once is bounded elsewhere. */
export const largeReply = largeAnswer

export type UnreadReplies = {
  /** Counts a large reply that is written to this response now. False: too much is unread, and it is not to be written. */
  readonly fits: (principal: string, response: FrontResponse, characters: number) => boolean
}

/** `kept`: what is kept for a principal whose connections broke. */
export function createUnreadReplies(kept: (principal: string) => number, budget: UnreadBudget): UnreadReplies {
  const counted = new WeakSet<FrontResponse>()
  const begin = (principal: string, response: FrontResponse): void => {
    if (counted.has(response) || response.destroyed) return
    counted.add(response)
    const answer: UnreadAnswer = {
      principal,
      bytes: () => response.writableLength,
      breakOff: () => void response.destroy(),
    }
    budget.open(answer)
    response.on("close", () => budget.close(answer))
  }
  return {
    fits: (principal, response, characters) => {
      if (!budget.makeRoom(principal, characters, "given-up", kept(principal))) return false
      begin(principal, response)
      return true
    },
  }
}
