import type { AgentRun } from "@byleave/core"
import type { Identify, RunnerIdentity } from "./identify.ts"

type Started = Pick<AgentRun, "startedBy" | "createdAt">

/** Whether the token that started the run is not there any more. People's runs go on without their keys. */
export async function isRevoked(identify: Pick<Identify, "runnerNamed">, run: Started): Promise<boolean> {
  if (run.startedBy.kind !== "runner") return false
  const token = await identify.runnerNamed(run.startedBy.id)
  return token === null || !isStartedWith(token, run)
}

/** Runs from before secrets were kept with them are told apart by time. */
export function isStartedWith(
  { token, secretId, createdAt }: Pick<RunnerIdentity, "token" | "secretId" | "createdAt">,
  { startedBy, createdAt: startedAt }: Started,
): boolean {
  if (startedBy.kind !== "runner" || startedBy.id !== token) return false
  return startedBy.token === undefined ? startedAt >= createdAt : startedBy.token === secretId
}
