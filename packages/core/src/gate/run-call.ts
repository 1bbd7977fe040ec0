import type { RunOutcome } from "../approval/approval-event.ts"
import type { JsonObject } from "../call/json.ts"
import type { Outcome, Run } from "./gate.ts"

/** Runs the call. A run that throws tells us nothing of what it did. */
export async function perform(run: Run, args: JsonObject, running: Parameters<Run>[1]): Promise<RunOutcome> {
  try {
    return await run(args, running)
  } catch (error) {
    return { kind: "unknown", detail: error instanceof Error ? error.message : String(error) }
  }
}

export function outcomeOfRun(outcome: RunOutcome, approval: string | null): Outcome {
  switch (outcome.kind) {
    case "succeeded":
      return { kind: "result", result: outcome.result, approval, notes: [] }
    case "failed":
      return { kind: "error", error: outcome.error, approval, notes: [] }
    case "unknown":
      return { kind: "unknown", detail: outcome.detail, approval }
  }
}
