import { readServiceFile } from "../reach/service-file.ts"
import { findGate, type GateAddress } from "./find-gate.ts"

export type FindAgain = {
  readonly data: string
  /** An address given by hand: the service there is started by its operator. */
  readonly url: string | undefined
  readonly start: () => Promise<GateAddress | null>
  readonly now: () => number
}

const shortestMs = 1_000
const longestMs = 60_000

/** Whether a service that is gone now is started again by the next search, or one soon after. */
export function isBroughtBack({ data, url }: Pick<FindAgain, "data" | "url">): boolean {
  return url === undefined && readServiceFile(data)?.background === true
}

/**
 * Looks for the service again after its connection broke, and starts it where a wrap had started it and it died. One that somebody stopped
 * has removed its file, and one that was started by hand is its owner's to start: those stay down. Each start in a row waits longer than
 * the one before, so that a service that cannot live is not started indefinitely.
 */
export function findGateAgain({ data, url, start, now }: FindAgain): () => Promise<GateAddress | null> {
  let waitMs = shortestMs
  let startedAt = Number.NEGATIVE_INFINITY
  return async () => {
    const found = await findGate(data, url)
    if (found !== null) return found
    if (!isBroughtBack({ data, url })) return null
    const sinceMs = now() - startedAt
    if (sinceMs < waitMs) return null
    waitMs = sinceMs > longestMs ? shortestMs : Math.min(longestMs, waitMs * 2)
    startedAt = now()
    return start()
  }
}
