import type { Reply } from "../wire/message.ts"
import { writeMessage } from "../wire/write-message.ts"
import { createFairShare, type FairShareLimits } from "./http/fair-share.ts"
import { LinkError, type LinkRequest } from "./link.ts"

/** A request that takes a turn: whose it is, and what it needs while it waits. */
export type InTurn = Pick<LinkRequest, "ask" | "principal" | "signal" | "timeoutMs">

/** Sends requests to one server so that no agent keeps the others from it. */
export type Turns = (asked: InTurn, send: () => Promise<Reply>) => Promise<Reply>

export type TurnLimits = FairShareLimits & {
  /** How long a request without a time of its own may wait. */
  readonly waitMs: number
}

const defaultLimits: TurnLimits = {
  places: 256,
  guaranteed: 8,
  mostWaiting: 256,
  mostWaitingSize: 16 * 1024 * 1024,
  waitMs: 60_000,
}

/** The gateway's own requests, such as for a list of tools, have a share like everybody's. */
const ownPrincipal = ""

export function takeTurns(server: string, limits: TurnLimits = defaultLimits): Turns {
  const share = createFairShare(limits)

  function run(asked: InTurn, send: () => Promise<Reply>): Promise<Reply> {
    const principal = asked.principal ?? ownPrincipal
    return send().then(
      (reply) => {
        share.leave(principal)
        return reply
      },
      (error: unknown) => {
        share.leave(principal)
        throw error
      },
    )
  }

  function waitFor(asked: InTurn): Promise<void> {
    const { principal = ownPrincipal, signal, timeoutMs: waitMs = limits.waitMs } = asked
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        stop()
        resolve()
      }
      const giveUp = (error: LinkError): void => {
        stop()
        leaveQueue?.()
        reject(error)
      }
      const withdraw = (): void => giveUp(new LinkError("withdrawn", "The caller withdrew the request."))
      const late = setTimeout(() => giveUp(busy(server, limits, `for ${waitMs / 1000} s`)), waitMs)
      const stop = (): void => {
        clearTimeout(late)
        signal.removeEventListener("abort", withdraw)
      }
      signal.addEventListener("abort", withdraw, { once: true })
      const leaveQueue = share.wait(principal, sizeOf(asked), begin)
      if (leaveQueue === null) giveUp(busy(server, limits, "and as many wait as may"))
    })
  }

  return (asked, send) => {
    if (share.enter(asked.principal ?? ownPrincipal)) return run(asked, send)
    if (asked.signal.aborted) return Promise.reject(new LinkError("withdrawn", "The caller withdrew the request."))
    return waitFor(asked).then(() => run(asked, send))
  }
}

/** Its approximate size in memory; computed only for requests that have to wait. */
function sizeOf({ ask }: InTurn): number {
  return writeMessage({ jsonrpc: "2.0", id: 0, ...ask }).length
}

function busy(server: string, { places }: TurnLimits, how: string): LinkError {
  const words = `${server} is busy: ${places} requests run there, ${how}. Nothing was sent. Wait until some of them are answered, then try again.`
  return new LinkError("unreachable", words)
}
