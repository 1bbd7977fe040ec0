/**
 * The runs of one process: starts them, takes up what became answerable or was left behind, and carries their legs out.
 *
 * I1. A run is taken up by one process: by compare-and-set in the store.
 * I2. A paused run is nothing here: no timer, no listener, no memory.
 * I3. Whoever closes leaves runs that others take up where these ended.
 * I4. A leg begins from the run it was thought of for: with every answer, and with none of another pause.
 * I5. An answer that comes while its run pauses is not missed.
 * I6. Nothing more is done for a run whose starter's credential was revoked: it is cancelled.
 */
import type { JournalLine } from "@byleave/core"
import { type ActiveLeg, runChange, untilEnded } from "./active-leg.ts"
import { bringRuns, startRuns } from "./begin-run.ts"
import { bytesOf } from "./journal/line-bytes.ts"
import { createLegs } from "./legs.ts"
import { createLiveParts } from "./live-parts.ts"
import { createNextLeg } from "./next-leg.ts"
import { refused, stopLines } from "./run-order.ts"
import type { Runs, RunsOptions, Waiting } from "./runs.ts"
import { settingsOf } from "./runs-settings.ts"
import { createTakingUp } from "./take-up.ts"

export function createRuns(options: RunsOptions): Runs {
  const settings = settingsOf(options)
  const { gate, limits } = settings
  const live = createLiveParts(settings.onTrouble)
  const legs = createLegs(settings, live, (run, end) => takingUp.afterLeg(run, end))
  const go = createNextLeg(settings, legs)
  const takingUp = createTakingUp(settings, legs, go)
  const stopListening = takingUp.listen()

  const linesOfStop = ({ run, bytes }: ActiveLeg): Promise<readonly JournalLine[]> => {
    const said = settings.redactText(live.textOfStep(run.id))
    return stopLines(gate, run, { said, room: limits.bytes - bytes() }, settings.now)
  }
  return {
    start: startRuns(settings, legs),
    bring: bringRuns(settings, legs),
    go,
    stop: async (id, by, deniedBy) => {
      for (let attempt = 0; attempt < mostStopAttempts; attempt++) {
        const own = legs.of(id)
        const lines = own === undefined ? undefined : await linesOfStop(own)
        const bytes = own === undefined ? undefined : own.bytes() + bytesOf(lines ?? [])
        const stopped = await gate.stopRun(id, { by, deniedBy, lines, bytes })
        if (stopped.ok) own?.stop.abort()
        // A line that the leg wrote in the meantime has the number of ours.
        if (stopped.ok || lines === undefined || stopped.refusal.code !== "run-not-owned") return stopped
      }
      return refused({ code: "run-not-owned" })
    },
    cancel: async (id, by, detail = "it was cancelled.") => {
      const cancelled = await gate.cancelRun(id, { by, detail })
      if (cancelled.ok) legs.of(id)?.stop.abort()
      return cancelled
    },
    endRevoked: legs.endRevoked,
    remove: (id, by) => gate.removeRun(id, by),
    get: (id) => gate.run(id),
    waitsFor: async (run) => {
      const waiting: Waiting[] = []
      for (const requirement of run.status === "paused" ? run.requirements : []) {
        const approval = requirement.approval === null ? undefined : await gate.approval(requirement.approval)
        if (approval?.status === "pending") waiting.push({ requirement, approval })
      }
      return waiting
    },
    settled: async (id, signal) => {
      for (;;) {
        // A leg that is here tells when it has ended; only others' are heard of by events.
        await untilEnded(legs.of(id), signal)
        const changed = runChange(gate, id, signal)
        // Whoever waits keeps nothing of a large run.
        const summary = await gate.runSummary(id)
        if (summary?.status !== "running" || signal?.aborted === true) {
          changed.stop()
          return gate.run(id)
        }
        await changed.next
      }
    },
    watch: live.watch,
    takeUp: takingUp.takeUp,
    renewLeases: async () => {
      for (const { run, stop } of legs.all()) {
        const renewed = await gate.changeRun(run.id, (_, mine) => ({ type: "renew-lease", ...mine }))
        if (!renewed.ok) stop.abort()
      }
    },
    close: () => {
      stopListening()
      return legs.close()
    },
  }
}

const mostStopAttempts = 5
