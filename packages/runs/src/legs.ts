/** The legs that this process carries out: one of each run at most, and only so many at the same time. */
import { type AgentRun, type RunningRun, runSession, StoreError, starterName } from "@byleave/core"
import { type ActiveLeg, changeOf, countingLines } from "./active-leg.ts"
import { createLegSlots } from "./leg-slots.ts"
import type { LiveParts, RunNews } from "./live-parts.ts"
import type { LegEnd } from "./loop/end-leg.ts"
import type { RequirementAnswer } from "./loop/leg-messages.ts"
import { runLeg } from "./loop/run-leg.ts"
import { prepareLeg } from "./prepare-leg.ts"
import { roomFor } from "./run-order.ts"
import type { Runs } from "./runs.ts"
import type { RunsSettings } from "./runs-settings.ts"

export type Legs = {
  readonly begin: (run: RunningRun, answers: readonly RequirementAnswer[]) => void
  /** The leg of a run that is carried out here. */
  readonly of: (run: string) => ActiveLeg | undefined
  readonly all: () => readonly ActiveLeg[]
  readonly endRevoked: Runs["endRevoked"]
  readonly isClosing: () => boolean
  /** Stops every leg, and begins none any more. */
  readonly close: () => Promise<void>
}

/** `afterLeg` is told of each leg that has ended, and how. */
export function createLegs(
  settings: RunsSettings,
  live: LiveParts,
  afterLeg: (run: string, end: LegEnd | undefined) => Promise<void>,
): Legs {
  const { gate, limits, onTrouble } = settings
  const slots = createLegSlots(limits.legs, limits.legBytesPerStarter)
  const active = new Map<string, ActiveLeg>()
  let closing = false

  const begin: Legs["begin"] = (run, answers) => {
    // The process is closing: the next process that takes up runs finds this one.
    if (closing) return
    const stop = new AbortController()
    const leg: ActiveLeg = {
      run,
      stop,
      ended: Promise.resolve(),
      followers: new Set(),
      ownLines: 0,
      bytes: () => run.bytes,
      looking: null,
    }
    active.get(run.id)?.stop.abort()
    active.set(run.id, leg)
    live.begin(run.id, run.legs)
    leg.ended = slots
      .whenFree({ starter: starterName(run.startedBy), bytes: run.bytes }, stop.signal, () => carryOut(leg, answers))
      .catch((trouble: unknown) => {
        onTrouble(trouble)
        return "stopped" as const
      })
      .then((end) => {
        if (active.get(run.id) === leg) active.delete(run.id)
        live.end(run.id, run.legs)
        for (const tell of leg.followers) tell()
        void afterLeg(run.id, end).catch(onTrouble)
      })
  }

  const carryOut = async (active: ActiveLeg, answers: readonly RequirementAnswer[]): Promise<LegEnd> => {
    const { run } = active
    const { signal } = active.stop
    const { legs: leg } = run
    if (await endRevoked(run)) return "lost"
    const prepared = await prepareLeg(settings, run)
    // Nothing was done yet: once what is missing is back, the run goes on.
    if ("failure" in prepared) return fail(run, true, prepared.failure.detail)
    const tell = (news: RunNews): void => live.tell(run.id, news)
    try {
      return await runLeg(
        {
          gate: countingLines(gate, active),
          ...prepared,
          ungated: settings.ungated,
          carryOut: settings.tools.call,
          changes: () => settings.tools.changes?.(runSession(run)),
          askFirst: (tool) => settings.askFirst?.(run, tool) === true,
          settings: settings.modelSettings?.(run) ?? {},
          changed: (approval) => changeOf(gate, approval, signal),
          maxRetries: settings.maxRetries ?? 2,
          timeouts: settings.timeouts,
          modelLimits: settings.modelLimits,
          room: await roomFor(gate, limits, run),
          waiting: limits.waiting,
          now: settings.now,
          onCounted: (bytes) => {
            active.bytes = bytes
          },
          onPart: (part) => tell({ type: "part", leg, part }),
          onRetry: (attempt) => tell({ type: "retry", leg, attempt }),
          signal,
          isClosing: () => closing,
          failureOf: settings.failureOf,
          redactText: settings.redactText,
        },
        run,
        answers,
      )
    } catch (error) {
      // A run that failed because of the store is taken up again once its lease lapses; a defect would only come back.
      if (!(error instanceof StoreError))
        await fail(run, false, "Byleave could not carry this run out. Its log says why.")
      throw error
    }
  }

  const fail = async (run: RunningRun, retryable: boolean, detail: string): Promise<LegEnd> => {
    const { owner, legs: leg, steps, usage, bytes } = run
    const event = { type: "fail" as const, owner, leg, steps, usage, bytes, retryable, detail }
    const failed = await gate.changeRun(run.id, (_, { at }) => ({ ...event, at }))
    return failed.ok ? "failed" : "lost"
  }

  const endRevoked = async (run: Pick<AgentRun, "id" | "startedBy" | "createdAt">): Promise<boolean> => {
    if (settings.isRevoked === undefined || !(await settings.isRevoked(run))) return false
    const ended = await gate.cancelRun(run.id, { by: null, detail: "its token was revoked." })
    if (ended.ok) active.get(run.id)?.stop.abort()
    return true
  }

  return {
    begin,
    of: (run) => active.get(run),
    all: () => [...active.values()],
    endRevoked,
    isClosing: () => closing,
    close: async () => {
      closing = true
      const legs = [...active.values()]
      for (const { stop } of legs) stop.abort()
      await Promise.all(legs.map(({ ended }) => ended))
    },
  }
}
