/**
 * One run as it goes on.
 *
 * I1. A stream begins with how the run stands, and tells every later state at least once, the newest last.
 * I2. The leg under way is told from its beginning, where this process carries it out.
 * I3. What a reader is told does not grow with what the starter sent, and nobody has more streams than may be open.
 */
import type { RunEventView } from "@byleave/api"
import { tooManyStreams } from "../../guard/counted-stream.ts"
import { runSummaryFor, streamsKey } from "../../guard/run-caller.ts"
import { isRefused } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { runSummaryViewOf } from "../../show/runs/run-view-of.ts"
import { eventStream } from "../event-stream.ts"
import type { Handler } from "../handler.ts"

export const runEvents: Handler<"runEvents"> = async (service, { params, who, request }) => {
  const run = await runSummaryFor(service, who, params.id)
  if (isRefused(run)) return run
  const leave = service.runStreams.enter(streamsKey(who))
  if (leave === null) return tooManyStreams()
  return eventStream(service, request, (send, ended, end) => {
    ended.addEventListener("abort", leave, { once: true })
    if (ended.aborted) leave()
    return follow(service, run.id, send, ended, end)
  })
}

async function follow(
  service: ApiService,
  id: string,
  sendText: (data: string) => void,
  ended: AbortSignal,
  end: () => void,
): Promise<void> {
  const send = (event: RunEventView): void => sendText(JSON.stringify(event))
  let told = 0
  let isStale = false
  let isReading = false
  const tellState = async (): Promise<void> => {
    isStale = true
    if (isReading) return
    isReading = true
    try {
      while (isStale && !ended.aborted) {
        isStale = false
        const run = await service.gate.runSummary(id)
        if (run === undefined) {
          send({ type: "removed" })
          return end()
        }
        if (run.version !== told) send({ type: "state", run: runSummaryViewOf(service, run) })
        told = run.version
      }
    } finally {
      isReading = false
    }
  }
  const refresh = (): void => {
    tellState().catch((error) => {
      service.onTrouble?.(error)
      end()
    })
  }
  await tellState()
  const stops = [
    service.store.subscribe(({ type, subject }) => {
      if (type === "agent-run.changed" && subject === id) refresh()
    }),
    service.agentRuns?.watch(id, send) ?? (() => {}),
  ]
  ended.addEventListener("abort", () => {
    for (const stop of stops) stop()
  })
  if (ended.aborted) for (const stop of stops) stop()
  refresh()
}
