import type { AgentRun, RunStarter } from "@byleave/core"
import type { RunnerIdentity } from "../credentials/identify.ts"
import { notFound, type RefusedRequest } from "../refused.ts"
import type { ApiService } from "../service.ts"
import type { RequestIdentity } from "./who-asks.ts"

/** Who uses agent runs: a person, or a program with a token for it. */
export type RunCaller =
  | ({ readonly kind: "reviewer" } & RequestIdentity)
  | ({ readonly kind: "runner" } & RunnerIdentity)

export function starterOf(caller: RunCaller): RunStarter {
  return { kind: caller.kind, id: caller.kind === "reviewer" ? caller.reviewer.id : caller.token }
}

/** The run, where the caller may know of it: people see all, a program its own. */
export async function runFor(service: ApiService, caller: RunCaller, id: string): Promise<AgentRun | RefusedRequest> {
  const run = await service.gate.run(id)
  return run !== undefined && mayUseRun(caller, run) ? run : notFound()
}

export function mayUseRun(caller: RunCaller, { startedBy }: Pick<AgentRun, "startedBy">): boolean {
  return caller.kind === "reviewer" || (startedBy.kind === "runner" && startedBy.id === caller.token)
}
