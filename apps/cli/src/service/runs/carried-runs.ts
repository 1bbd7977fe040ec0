import type { RunGate } from "@byleave/core"
import { newId } from "@byleave/core/node"
import type { Runs } from "@byleave/runs"
import { checkSession, exportRun, importRun, sessionRun, sessionState, stateKeyFrom } from "@byleave/runs/state"
import type { AgentRuns } from "@byleave/server"

export type CarriedRuns = Pick<AgentRuns, "sessionOf" | "runOfSession" | "checkSession" | "exportRun" | "importRun">

/** Runs as sealed texts. */
export function carriedRuns(
  secret: string,
  { gate, runs, now }: { readonly gate: RunGate; readonly runs: Runs; readonly now: () => number },
): CarriedRuns {
  const key = stateKeyFrom(secret)
  return {
    sessionOf: (run) => sessionState({ gate, key, newId }, run),
    runOfSession: async (session) => sessionRun(session, key),
    checkSession: async (session, run) => checkSession(session, run, key),
    exportRun: (id, options) => exportRun({ gate, key, newId }, id, options),
    importRun: (text, by) => importRun({ runs, key, now }, text, { by }),
  }
}
