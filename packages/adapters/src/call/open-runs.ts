import type { RunOutcome } from "@byleave/core"
import type { DecidedCall } from "./decide-call.ts"

type RunDecided = Extract<DecidedCall, { readonly kind: "run" }>

/** Calls that a host may run and has not yet told the end of, by the host's id of each. */
export type OpenRuns = {
  readonly add: (id: string, run: RunDecided) => void
  /** Undefined: no such call, or its end was told already. Gives back the call once its outcome is on record. */
  readonly report: (id: string, outcome: RunOutcome) => Promise<RunDecided | undefined>
  /** The host is done and tells nothing more: nobody can say what became of the rest. */
  readonly end: () => Promise<void>
}

export function openRuns(): OpenRuns {
  const open = new Map<string, RunDecided>()
  const report: OpenRuns["report"] = async (id, outcome) => {
    const run = open.get(id)
    open.delete(id)
    await run?.report(outcome)
    return run
  }
  return {
    add: (id, run) => open.set(id, run),
    report,
    end: async () => {
      const detail = "The agent's program ended without saying what became of it."
      await Promise.all([...open.keys()].map((id) => report(id, { kind: "unknown", detail })))
    },
  }
}
