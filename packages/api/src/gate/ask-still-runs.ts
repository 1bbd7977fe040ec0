/**
 * Asks the service whether a call that it let this program run may still be sent.
 *
 * I1. A yes is told less than `wordHoldsMs` after it was asked for. An older one is asked for again, a few times; then nobody has said yes.
 * I2. A service that is busy, or in trouble, is asked again for a while about what a person approved: that was claimed by then, and waits for nothing
 *     else. What policy allowed is asked about once more: its caller calls again. A call that was withdrawn meanwhile may not run.
 * I3. About what a person approved no arguments are sent: the service has them.
 * I4. The tool is named as the call's own connection lists it, whatever others have told since; where the service does not know that listing, by its definition.
 */
import type { CallerGate, ToolDefinition } from "@byleave/core"
import { readAnswer } from "../client/service-answer.ts"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { MayStillRunAnswer, SubmitBody } from "./gate-wire.ts"
import { aboutCaller, over } from "./remote-judge.ts"
import type { ToldTools } from "./told-tools.ts"

/** The word to run a call counts for so long after it was asked for. */
export const wordHoldsMs = 2_000

/** How often an answer that came late is asked for again, and how often a service that could not answer is, with a pause between. */
const mostLate = 3
const mostBusy = { approved: 60, allowed: 1 } as const
const pauseMs = 500

export type AskingPorts = {
  readonly transport: GateTransport
  readonly program: string | undefined
  readonly told: Pick<ToldTools, "instances" | "isAsTold">
  readonly pause: (ms: number) => Promise<void>
  readonly elapsed: () => number
}

/** Rejects where the service does not say. */
export function askStillRuns({ transport, program, told, pause, elapsed }: AskingPorts): CallerGate["mayStillRun"] {
  return async ({ kind = "tool", tool, listed, ...caller }, args, approval, { until, onAsked, grant } = {}) => {
    const about = { ...aboutCaller(caller, program), target: { kind, server: tool.server, name: tool.tool } }
    const path = approval === null ? gatePaths.mayStillRun : gatePaths.mayStillSend(approval)
    const by = grant === undefined ? { approval } : { approval, grant }
    const asked = approval === null ? { ...about, args, ...by, ...over(caller) } : about
    const definition = kind === "tool" ? listed?.definition : undefined
    let body = JSON.stringify({ ...asked, ...asListedTo(told, tool.server, definition) })
    const times = { late: 0, busy: 0 }
    const most = approval === null ? mostBusy.allowed : mostBusy.approved
    let isWithdrawn = false
    const withdrawn = until?.then(() => {
      isWithdrawn = true
    })
    while (times.late <= mostLate && times.busy <= most) {
      const askedAt = elapsed()
      onAsked?.()
      const { status, text } = await transport.post(path, body)
      if (isBusy(status)) {
        times.busy += 1
        await Promise.race(withdrawn === undefined ? [pause(pauseMs)] : [pause(pauseMs), withdrawn])
      } else {
        if (status !== 200) throw new Error(`The service did not judge: it answered ${status}.`)
        const { mayRun } = readAnswer<MayStillRunAnswer>(text)
        if (mayRun === "unknown") body = JSON.stringify({ ...asked, definition })
        else if (mayRun !== true) return false
        else if (elapsed() - askedAt < wordHoldsMs) return true
        times.late += 1
      }
      if (isWithdrawn) return false
    }
    throw new Error("The service did not judge in time.")
  }
}

/** The tool as its connection lists it, by the name that the service gave to the listing, or as it is. */
function asListedTo(
  told: AskingPorts["told"],
  server: string,
  definition: ToolDefinition | undefined,
): Pick<SubmitBody, "definition"> & { readonly told?: string[] } {
  if (definition === undefined) return {}
  return told.isAsTold(server, definition) ? { told: told.instances(server) } : { definition }
}

/** By the next time it may be over. */
export function isBusy(status: number): boolean {
  return status === 429 || status >= 500
}
