/**
 * Asks the service whether a call that it let this program run may still be sent.
 *
 * I1. A yes is told less than `wordHoldsMs` after it was asked for. An older one is asked for again, a few times; then nobody has said yes.
 * I2. A service that is busy, or in trouble, is asked again for a while: what was claimed by then waits for nothing else. A call that was withdrawn
 *     meanwhile may not run.
 * I3. About what a person approved no arguments are sent: the service has them.
 */
import type { CallerGate } from "@byleave/core"
import { readAnswer } from "../client/service-answer.ts"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { MayStillRunAnswer } from "./gate-wire.ts"
import { aboutCaller, over } from "./remote-judge.ts"

/** The word to run a call counts for so long after it was asked for. */
export const wordHoldsMs = 2_000

/** How often an answer that came late is asked for again, and how often a service that could not answer is, with a pause between. */
const mostLate = 3
const mostBusy = 60
const pauseMs = 500

export type AskingPorts = {
  readonly transport: GateTransport
  readonly program: string | undefined
  readonly pause: (ms: number) => Promise<void>
  readonly elapsed: () => number
}

/** The service knows the tool as it was told of it. Rejects where it does not say. */
export function askStillRuns({ transport, program, pause, elapsed }: AskingPorts): CallerGate["mayStillRun"] {
  return async ({ kind = "tool", tool, ...caller }, args, approval, { until, onAsked, grant } = {}) => {
    const about = { ...aboutCaller(caller, program), target: { kind, server: tool.server, name: tool.tool } }
    const path = approval === null ? gatePaths.mayStillRun : gatePaths.mayStillSend(approval)
    const by = grant === undefined ? { approval } : { approval, grant }
    const body = JSON.stringify(approval === null ? { ...about, args, ...by, ...over(caller) } : about)
    const times = { late: 0, busy: 0 }
    let isWithdrawn = false
    const withdrawn = until?.then(() => {
      isWithdrawn = true
    })
    while (times.late <= mostLate && times.busy <= mostBusy) {
      const asked = elapsed()
      onAsked?.()
      const { status, text } = await transport.post(path, body)
      if (isBusy(status)) {
        times.busy += 1
        await Promise.race(withdrawn === undefined ? [pause(pauseMs)] : [pause(pauseMs), withdrawn])
      } else {
        if (status !== 200) throw new Error(`The service did not judge: it answered ${status}.`)
        if (readAnswer<MayStillRunAnswer>(text).mayRun !== true) return false
        if (elapsed() - asked < wordHoldsMs) return true
        times.late += 1
      }
      if (isWithdrawn) return false
    }
    throw new Error("The service did not judge in time.")
  }
}

/** By the next time it may be over. */
export function isBusy(status: number): boolean {
  return status === 429 || status >= 500
}
