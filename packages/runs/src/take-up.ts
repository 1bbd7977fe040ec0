/** Takes up runs that nobody carries out: those whose calls were answered, and those whose process is gone. */
import { type AgentRun, isRunPrincipal, type StoreEvent } from "@byleave/core"
import { lookAfter } from "./active-leg.ts"
import type { Legs } from "./legs.ts"
import type { LegEnd } from "./loop/end-leg.ts"
import { answersTo, isAnswer } from "./requirement-answers.ts"
import type { Runs } from "./runs.ts"
import type { RunsSettings } from "./runs-settings.ts"

export type TakingUp = {
  readonly takeUp: Runs["takeUp"]
  /** An answer may have come while the run paused, and policy may have stopped asking. */
  readonly afterLeg: (run: string, end: LegEnd | undefined) => Promise<void>
  /** Hears of answers, and of what others do to the runs that are carried out here. Returns how to stop. */
  readonly listen: () => () => void
}

export function createTakingUp({ gate, limits, onTrouble }: RunsSettings, legs: Legs, go: Runs["go"]): TakingUp {
  /** Runs that were left because their starter must bring something: they keep no other from being found. */
  const waitingForStarter = new Set<string>()
  /** There may be more to take up than was taken. */
  let more = false

  const takeUp = async (): Promise<number> => {
    if (legs.isClosing()) return 0
    const limit = Math.max(1, limits.legs - legs.all().length) + waitingForStarter.size
    const found = await gate.runsToTakeUp(limit)
    more = found.length === limit
    let taken = 0
    for (const run of found) if (await takeUpOne(run)) taken += 1
    return taken
  }
  const takeUpOne = async (run: AgentRun): Promise<boolean> => {
    if (legs.isClosing()) return false
    if (run.status === "paused") {
      const went = await go(run.id, {}, null)
      const isLeft = !went.ok && went.refusal.code === "run-waits" && went.refusal.missing.length === 0
      if (isLeft) waitingForStarter.add(run.id)
      else waitingForStarter.delete(run.id)
      return went.ok
    }
    if (run.status !== "running" || legs.of(run.id) !== undefined) return false
    const { owner: from, version } = run
    const answers = await answersTo(gate, run.answered)
    // The store named it as one whose process is gone or whose lease has lapsed: as of this version.
    const taken = await gate.changeRun(
      run.id,
      (_, { owner, leaseUntil, at }) => ({ type: "take-over", from, isGone: true, owner, leaseUntil, at }),
      { version },
    )
    if (!taken.ok || taken.run.status !== "running") return false
    legs.begin(taken.run, answers.filter(isAnswer))
    return true
  }
  const takeUpPaused = async (id: string): Promise<void> => {
    const run = await gate.run(id)
    if (run?.status === "paused") await takeUpOne(run)
  }
  /** An answer may be the last one that its run waits for. */
  const answered = async (id: string): Promise<void> => {
    const approval = await gate.approval(id)
    if (approval?.key === undefined || approval.status === "pending") return
    if (isRunPrincipal(approval.principal.id)) await takeUpPaused(approval.session.id)
  }

  return {
    takeUp,
    afterLeg: async (id, end) => {
      if (end === "paused") await takeUpPaused(id)
      if (more) await takeUp()
    },
    listen: () =>
      gate.events((event) => {
        if (legs.isClosing()) return
        if (event.type === "agent-run.changed") {
          const own = legs.of(event.subject)
          if (own === undefined) return
          if (own.ownLines > 0) own.ownLines -= 1
          else lookAfter(gate, own).catch(onTrouble)
        } else if (isAnswered.has(event.type)) {
          answered(event.subject).catch(onTrouble)
        }
      }),
  }
}

/** The events by which an approval is answered, or ends by time. */
const isAnswered: ReadonlySet<StoreEvent["type"]> = new Set([
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
])
