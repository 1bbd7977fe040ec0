import { type AgentRun, openCallsOf, setupBytes } from "@byleave/core"
import { bytesOf } from "./journal/line-bytes.ts"
import type { Legs } from "./legs.ts"
import { answersTo, isAnswer } from "./requirement-answers.ts"
import { inputLines, longInstructions, refused, setupWith, tooLarge, tooMuchOpen } from "./run-order.ts"
import type { Runs } from "./runs.ts"
import type { RunsSettings } from "./runs-settings.ts"

/** Begins the next leg of a run that waits for nobody: as often as the run changes in the meantime, it is read again. */
export function createNextLeg(settings: RunsSettings, legs: Legs): Runs["go"] {
  const { gate, limits } = settings

  const goOnce: Runs["go"] = async (id, input, by) => {
    // Another process goes on with it.
    if (legs.isClosing()) return refused({ code: "run-not-owned" })
    const run = await gate.run(id)
    if (run === undefined) return refused({ code: "run-not-found" })
    if (await legs.endRevoked(run)) return refused({ code: "run-ended", status: "cancelled" })
    const model = input.setup?.model ?? run.setup.model
    const setup = setupWith({ ...run.setup, model }, input.setup)
    const tooLong = longInstructions(setup)
    if (tooLong !== null) return refused(tooLong)
    const open = openCallsOf(run)
    const answers = await answersTo(gate, open)
    const missing = open.filter((_, at) => answers[at] === null)
    if (missing.length > 0) return refused({ code: "run-waits", missing })
    const brought = run.status === "paused" ? ((await settings.broughtInput?.(run, gate)) ?? []) : []
    if (brought === "missing") return refused({ code: "run-waits", missing: [] })
    const messages = [...brought, ...(input.messages ?? [])]
    const hasInput = messages.length > 0
    const moreSetup = input.setup === undefined ? 0 : Math.max(0, setupBytes(setup) - setupBytes(run.setup))
    const room = limits.bytes - run.bytes - moreSetup
    const lines = hasInput ? await inputLines(gate, run, { messages, room }, settings.now) : []
    if (lines === null || (moreSetup > 0 && room < 0)) return refused(tooLarge(limits))
    const bytes = run.bytes + bytesOf(lines) + moreSetup
    const isMore = bytes > run.bytes
    const others = isMore ? await othersOf(run) : 0
    if (isMore && others + bytes > limits.openBytesPerStarter) return refused(tooMuchOpen(limits, { bytes: others }))
    const resumed = await gate.changeRun(
      id,
      (_, { owner, leaseUntil, at }) => ({ type: "resume", owner, leaseUntil, at, setup, bytes, hasInput }),
      { lines, version: run.version, ...(by === null ? {} : { by }) },
    )
    if (resumed.ok && resumed.run.status === "running") legs.begin(resumed.run, answers.filter(isAnswer))
    return resumed
  }
  /** Bytes of the starter's other runs that are not over. */
  const othersOf = async (run: AgentRun): Promise<number> => {
    const { bytes } = await gate.openRuns(run.startedBy)
    return run.status === "paused" || run.status === "running" ? bytes - run.bytes : bytes
  }

  return async (id, input, by) => {
    for (;;) {
      const went = await goOnce(id, input, by)
      if (went.ok || went.refusal.code !== "run-changed") return went
    }
  }
}
