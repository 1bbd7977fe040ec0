/**
 * Bounds the large replies that one principal has not read: it may ask for many and read none of them.
 *
 * I1. What one principal leaves unread takes up no more than its limit; nobody else's replies count for it.
 * I2. A reply counts from when it is written until its connection has taken it, or is gone.
 */
import type { FrontResponse } from "./front-message.ts"

/** In characters. Smaller replies are written as they come: the number of replies at once is bounded elsewhere. */
export const largeReply = 64 * 1024
const mostUnread = 128 * 1024 * 1024

export type UnreadReplies = {
  /** Counts a large reply that is written to this response now. False: too much is unread, and it is not to be written. */
  readonly fits: (principal: string, response: FrontResponse, characters: number) => boolean
}

/** `kept`: what is kept for a principal whose connections broke. */
export function createUnreadReplies(kept: (principal: string) => number, most = mostUnread): UnreadReplies {
  const open = new Map<string, Set<FrontResponse>>()
  const begin = (principal: string, response: FrontResponse): void => {
    const own = open.get(principal) ?? new Set()
    if (own.has(response) || response.destroyed) return
    open.set(principal, own.add(response))
    response.on("close", () => {
      own.delete(response)
      if (own.size === 0 && open.get(principal) === own) open.delete(principal)
    })
  }
  return {
    fits: (principal, response, characters) => {
      let unread = characters + kept(principal)
      for (const { writableLength } of open.get(principal) ?? []) unread += writableLength
      if (unread > most) return false
      begin(principal, response)
      return true
    },
  }
}
