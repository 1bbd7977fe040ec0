import type { JsonObject, Outcome, Run, RunContext, RunOutcome } from "@byleave/core"

export type Performed = { readonly ran: RunOutcome; readonly outcome: Outcome }

/** Runs the call in this process. A run that throws tells nothing of what it did. */
export async function performHere(run: Run, args: JsonObject, context: RunContext): Promise<Performed> {
  const ran = await run(args, context).catch(
    (cause: unknown): RunOutcome => ({
      kind: "unknown",
      detail: cause instanceof Error ? cause.message : String(cause),
    }),
  )
  return { ran, outcome: outcomeOf(ran, context.approval) }
}

function outcomeOf(ran: RunOutcome, approval: string | null): Outcome {
  switch (ran.kind) {
    case "succeeded":
      return { kind: "result", result: ran.result, approval, notes: [] }
    case "failed":
      return { kind: "error", error: ran.error, approval, notes: [] }
    case "unknown":
      return { kind: "unknown", detail: ran.detail, approval }
  }
}
