/** Queries of runs, where a store looks at each run itself. */
import type { AgentRun, HeldCount, OpenRunTotals, RunQuery, Store } from "@byleave/core"
import { compare } from "./in-order.ts"
import { heldOf, isSameStarter } from "./run-facts.ts"

export type WantedRuns = Omit<RunQuery, "limit" | "after">

export function matchesRun(run: AgentRun, { statuses, startedBy, principal, createdSince = 0 }: WantedRuns): boolean {
  return (
    (statuses === undefined || statuses.includes(run.status)) &&
    (startedBy === undefined || isSameStarter(startedBy, run.startedBy)) &&
    (principal === undefined || principal === run.principal) &&
    run.createdAt >= createdSince
  )
}

export function totalsOf(open: readonly AgentRun[]): OpenRunTotals {
  const bytes = open.reduce((sum, run) => sum + run.bytes, 0)
  return { runs: open.length, bytes, waiting: sumOf(open.map(heldOf)) }
}

export function sumOf(counts: readonly HeldCount[]): HeldCount {
  return counts.reduce((sum, { calls, bytes }) => ({ calls: sum.calls + calls, bytes: sum.bytes + bytes }), {
    calls: 0,
    bytes: 0,
  })
}

/** The runs among these that wait for nobody, longest unchanged first. `waiting`: the callers of the calls that are pending. */
export function runsWaitingForNobody(
  runs: Iterable<AgentRun>,
  waiting: ReadonlyArray<{ readonly principal: string; readonly session: string }>,
  { now, alive, limit }: Parameters<Store["runsToTakeUp"]>[0],
): readonly AgentRun[] {
  const keyOf = (principal: string, session: string): string => JSON.stringify([principal, session])
  const asked = new Set(waiting.map(({ principal, session }) => keyOf(principal, session)))
  const waitsForNobody = (run: AgentRun): boolean => {
    if (run.status === "running") return run.leaseUntil <= now || !alive.includes(run.owner)
    return run.status === "paused" && !asked.has(keyOf(run.principal, run.id))
  }
  return [...runs]
    .filter(waitsForNobody)
    .sort((a, b) => a.updatedAt - b.updatedAt || compare(a.id, b.id))
    .slice(0, limit)
}
