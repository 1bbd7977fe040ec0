/**
 * Keeps reviewers from approving for themselves.
 *
 * I1. Nobody lets more run in a session of a token they own, nor in a run that it started.
 * I2. Nobody who owns any token lets more run for everyone, by a grant or by accepting a changed definition; nor for all runs, where it is a runner token;
 *     nor for the runs of a token they own.
 * I3. A permission is held to the same whether it is added by itself or saved with a verdict.
 */
import { isRunPrincipal, type Remembered, runnerOf } from "@byleave/core"
import { needPresence, type RequestIdentity } from "../../guard/who-asks.ts"
import { type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"

const yours =
  "That would let calls under your own token run. Somebody else must do it, or policy.selfApproval must allow it."

/** `id`: of the session; absent: all sessions of that principal. `starter`: only in runs of that starter. */
type Widened = { readonly principal: string; readonly id?: string; readonly starter?: string | undefined }

/** Whether this reviewer may save a permission that allows calls, or forget one that denies them: somebody is there, and it is not for their own token. */
export async function mayWiden(
  service: ApiService,
  who: RequestIdentity,
  { session, agent, starter }: Pick<Remembered, "session" | "agent" | "starter">,
): Promise<RefusedRequest | null> {
  const of = session ?? (agent === undefined ? null : { principal: agent, starter })
  return needPresence(who) ?? (await refuseSelfApproval(service, who.reviewer.id, of))
}

/**
 * Keeps reviewers from widening the rights of their own tokens: in a session, or (`of` null) for everyone, including them.
 */
export async function refuseSelfApproval(
  service: ApiService,
  reviewer: string,
  of: Widened | null,
): Promise<RefusedRequest | null> {
  if (service.policy().selfApproval) return null
  return (await isTheirs(service, reviewer, of)) ? refuse("self-approval", yours) : null
}

async function isTheirs(service: ApiService, reviewer: string, of: Widened | null): Promise<boolean> {
  const { identify } = service.credentials
  if (of === null) return identify.ownsAny(reviewer)
  if (!isRunPrincipal(of.principal)) return (await identify.ownerOf(of.principal)) === reviewer
  if (of.starter !== undefined) {
    const runner = runnerOf(of.starter)
    return runner !== null && (await identify.ownerOf(runner)) === reviewer
  }
  if (of.id === undefined) return identify.ownsAny(reviewer, "runner")
  const startedBy = (await service.gate.run(of.id))?.startedBy
  if (startedBy?.kind !== "runner") return false
  // Runs from before owners were kept with them belong to whoever owns their token now.
  return (startedBy.owner ?? (await identify.ownerOf(startedBy.id))) === reviewer
}
