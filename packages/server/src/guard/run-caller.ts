/**
 * The callers of agent runs, and the runs that are theirs.
 *
 * I1. People see all runs; a program sees those that its own token started.
 * I2. A token is not taken for an earlier one of its name: a run keeps which secret started it.
 */
import type { AgentRun, RunQuery, RunStarter, RunSummary } from "@byleave/core"
import type { RunnerIdentity } from "../credentials/identify.ts"
import { isStartedWith } from "../credentials/is-revoked.ts"
import { notFound, type RefusedRequest } from "../refused.ts"
import type { ApiService } from "../service.ts"
import type { RequestIdentity } from "./who-asks.ts"

/** The caller of agent runs: a person, or a program with a token for them. */
export type RunCaller =
  | ({ readonly kind: "reviewer" } & RequestIdentity)
  | ({ readonly kind: "runner" } & RunnerIdentity)

export function starterOf(caller: RunCaller): RunStarter {
  if (caller.kind === "reviewer") return { kind: caller.kind, id: caller.reviewer.id }
  const { kind, token, secretId, owner } = caller
  return { kind, id: token, token: secretId, ...(owner === undefined ? {} : { owner }) }
}

/** The name that a caller's event streams are counted under: a new token of an old name begins anew. */
export function streamsKey(caller: RunCaller): string {
  return caller.kind === "reviewer" ? `reviewer ${caller.reviewer.id}` : `runner ${caller.token} ${caller.secretId}`
}

/** The run, where the caller may know of it. */
export async function runFor(service: ApiService, caller: RunCaller, id: string): Promise<AgentRun | RefusedRequest> {
  const run = await service.gate.run(id)
  return run !== undefined && maySee(caller, run) ? run : notFound()
}

/** The same without what its starter sent, however much that is. */
export async function runSummaryFor(
  service: ApiService,
  caller: RunCaller,
  id: string,
): Promise<RunSummary | RefusedRequest> {
  const run = await service.gate.runSummary(id)
  return run !== undefined && maySee(caller, run) ? run : notFound()
}

/** The query for the caller's own runs; its result may hold runs of an earlier token of that name, which the caller may not see. */
export function ownRuns(caller: RunCaller): Pick<RunQuery, "startedBy" | "createdSince"> {
  return caller.kind === "reviewer" ? {} : { startedBy: starterOf(caller), createdSince: caller.createdAt }
}

export function maySee(caller: RunCaller, run: Pick<AgentRun, "startedBy" | "createdAt">): boolean {
  return caller.kind === "reviewer" || isStartedWith(caller, run)
}
