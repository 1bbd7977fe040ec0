import type { RunAnswerView } from "@byleave/api"
import type { AgentRun } from "@byleave/core"
import type { AgentRuns } from "../../agent-runs.ts"
import type { RunCaller } from "../../guard/run-caller.ts"
import { notFound, type RefusedRequest } from "../../refused.ts"
import type { ApiService } from "../../service.ts"

/** The answer to a start and to a continue. */
export async function runAnswer(
  { runReads }: Pick<ApiService, "runReads">,
  { runs, who }: { readonly runs: AgentRuns; readonly who: RunCaller },
  run: AgentRun,
  decisions?: RunAnswerView["decisions"],
): Promise<RunAnswerView> {
  const { input, output, total } = run.usage
  return {
    ...(await runReads.turnsOf(who).finish(run.bytes, () => runs.respond(run))),
    run_id: run.id,
    status: run.status,
    ...(decisions === undefined ? {} : { decisions }),
    detail: run.status === "failed" || run.status === "cancelled" ? run.detail : null,
    usage: { input_tokens: input, output_tokens: output, total_tokens: total },
    metadata: run.setup.metadata ?? {},
  }
}

/** The run once it has paused or ended, or after that many seconds as it stands. */
export async function waitedFor(
  service: ApiService,
  runs: AgentRuns,
  id: string,
  { seconds, request }: { readonly seconds: number; readonly request: Request },
): Promise<AgentRun | RefusedRequest> {
  const signal = waitSignal(service, seconds, request)
  return (await runs.settled(id, signal)) ?? notFound()
}

export function waitSignal(service: ApiService, seconds: number, request: Request): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(seconds * 1_000), request.signal, service.closing])
}
