import type { AgentRun, RunGate } from "@byleave/core"
import { newId } from "@byleave/core/node"
import type { Runs } from "@byleave/runs"
import { checkSession, exportRun, importRun, sessionRun, sessionState, stateKeyFrom } from "@byleave/runs/state"
import type { AgentRuns } from "@byleave/server"

export type CarriedRuns = Pick<AgentRuns, "runOfSession" | "checkSession" | "exportRun" | "importRun"> & {
  /** A paused run as its caller carries it from one request to the next; null where it is not paused, or large. */
  readonly sessionOf: (run: AgentRun) => Promise<string | null>
}

/** Runs as sealed texts. */
export function carriedRuns(
  secret: string,
  { gate, runs, now }: { readonly gate: RunGate; readonly runs: Runs; readonly now: () => number },
): CarriedRuns {
  const key = stateKeyFrom(secret)
  return {
    sessionOf: async (run) => (run.status === "paused" ? sessionState({ gate, key, newId }, run) : null),
    runOfSession: async (session) => sessionRun(session, key),
    checkSession: async (session, run) => checkSession(session, run, key),
    exportRun: (id, options) => exportRun({ gate, key, newId }, id, options),
    importRun: (text, by) => importRun({ runs, key, now }, text, { by }),
  }
}
