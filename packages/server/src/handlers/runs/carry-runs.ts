import { runFor, starterOf } from "../../guard/run-caller.ts"
import { inTurn } from "../../guard/run-reads.ts"
import { isRefused } from "../../refused.ts"
import type { Handler } from "../handler.ts"
import { runAnswer, waitedFor } from "./run-answer.ts"
import { runsOf, runsRefused } from "./runs-refused.ts"

export const exportRun: Handler<"exportRun"> = async (service, { params, body, who }) => {
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const exported = await runs.exportRun(params.id, { by: who.reviewer.id, format: body.format })
  return exported.ok ? { id: exported.state, state: exported.text } : runsRefused(exported.refusal)
}

export const importRun: Handler<"importRun"> = async (service, { body, query, who, request }) => {
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  const brought = await runs.importRun(body.state, starterOf({ kind: "reviewer", ...who }))
  if (!brought.ok) return runsRefused(brought.refusal)
  const run = await waitedFor(service, runs, brought.run.id, { seconds: query.wait, request })
  return isRefused(run) ? run : runAnswer(service, { runs, who: { kind: "reviewer", ...who } }, run)
}

/** None ends while an approval is open: a recording that could not be played to its end is no recording. */
export const recordRun: Handler<"recordRun"> = async (service, { params, who }) => {
  const run = await runFor(service, who, params.id)
  if (isRefused(run)) return run
  const runs = runsOf(service)
  if (isRefused(runs)) return runs
  if (run.status === "running") return runsRefused({ code: "run-under-way", owner: run.owner })
  if (run.status === "paused") return runsRefused({ code: "run-waits", missing: run.requirements })
  return inTurn(service.runReads, who, run, async () => {
    return new Response(await runs.recordRun(run), { headers: { "content-type": "application/x-ndjson" } })
  })
}
