import type { Indexed } from "../../wire/indexed-list.ts"
import type { LargeAnswer } from "./large-answers.ts"

/** A request on its way over HTTP; listed while its stream goes on after its answer. */
export type HttpCall = Indexed & {
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
  /** When its answer came, on a stream that goes on. */
  answeredAt: number
  /** While a message that it is answered with is large. */
  large: LargeAnswer | null
}

export function newCall(id: number, method: string, principal: string, once: boolean): HttpCall {
  return {
    id,
    method,
    principal,
    once,
    stop: nothingOpen,
    streams: false,
    lastEventId: undefined,
    retryMs: 1_000,
    empty: 0,
    answeredAt: 0,
    large: null,
    index: -1,
  }
}

function nothingOpen(): void {}
