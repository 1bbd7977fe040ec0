import type { LargeAnswer } from "./large-answers.ts"

/** A request on its way over HTTP. */
export type HttpCall = {
  readonly id: number
  readonly method: string
  /** Whose it is; empty: the gateway's own. */
  readonly principal: string
  /** Sent at most once. */
  readonly once: boolean
  /** Ends what is open for it now. */
  stop: () => void
  /** Its answer is a stream that is still open. */
  streams: boolean
  lastEventId: string | undefined
  /** How long the server wants us to wait before we come back for the rest of a stream. */
  retryMs: number
  /** Streams in a row on which nothing came. */
  empty: number
  linger: NodeJS.Timeout | undefined
  /** While a message that it is answered with is large. */
  large: LargeAnswer | null
}

export function newCall(id: number, method: string, principal: string, once: boolean): HttpCall {
  return {
    id,
    method,
    principal,
    once,
    stop: () => {},
    streams: false,
    lastEventId: undefined,
    retryMs: 1_000,
    empty: 0,
    linger: undefined,
    large: null,
  }
}
