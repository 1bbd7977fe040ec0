import type { Call, CallerGate, JsonObject, Outcome, Run, RunContext, RunOutcome } from "@byleave/core"

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

/** Asks first whether the call may still run. Where it may not, nobody says so, or it is cancelled meanwhile, nothing runs, and that is its outcome. */
export async function performIfItMay(
  mayStillRun: CallerGate["mayStillRun"],
  call: Call,
  run: Run,
  args: JsonObject,
  context: RunContext,
): Promise<Performed> {
  let isCancelled = false
  void context.cancelled.then(() => {
    isCancelled = true
  })
  const how = { until: context.cancelled, grant: context.grant }
  const may = await mayStillRun(call, args, context.approval, how).catch(() => null)
  const mayRun = may === true && isCancelled ? false : may
  if (mayRun === true) return performHere(run, args, context)
  const reason = mayRun === null ? notConfirmed : notAnyMore
  const code = mayRun === null ? "store-unavailable" : "cancelled"
  const outcome: Outcome = { kind: "refusal", refusal: { by: "policy", code, reason }, approval: context.approval }
  return { ran: { kind: "failed", error: reason }, outcome }
}

const notAnyMore =
  "This call may not run any more: what agents may do has changed, or it was settled meanwhile. It was not sent."
const notConfirmed = "Byleave's service could not be asked whether the call may still run, so it was not sent."

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
