/** A request on its way over HTTP. */
export type HttpCall = {
  readonly id: number
  readonly method: string
  /** Sent at most once. */
  readonly once: boolean
  /** Ends what is open for it now. */
  stop: () => void
  /** Its answer is a stream that is still open. */
  streams: boolean
  lastEventId: string | undefined
  /** How long the server wants us to wait before we come back for the rest of a stream. */
  retryMs: number
  linger: NodeJS.Timeout | undefined
}

export function newCall(id: number, method: string, once: boolean): HttpCall {
  return { id, method, once, stop: () => {}, streams: false, lastEventId: undefined, retryMs: 1_000, linger: undefined }
}
