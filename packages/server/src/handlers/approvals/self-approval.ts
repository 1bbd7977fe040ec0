/**
 * Keeps reviewers from approving for themselves.
 *
 * I1. Nobody lets more run in a session of a token they own, nor in a run that it started.
 * I2. Nobody who owns any token lets more run for everyone, by a grant or by accepting a changed definition; nor for all runs, where it is a runner token.
 */
import { isRunPrincipal } from "@byleave/core"
import { type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"

const yours =
  "That would let calls under your own token run. Somebody else must do it, or policy.selfApproval must allow it."

/** `id`: of the session; absent: all sessions of that principal. */
export type Widened = { readonly principal: string; readonly id?: string }

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
  if (of.id === undefined) return identify.ownsAny(reviewer, "runner")
  const startedBy = (await service.gate.run(of.id))?.startedBy
  if (startedBy?.kind !== "runner") return false
  // Runs from before owners were kept with them belong to whoever owns their token now.
  return (startedBy.owner ?? (await identify.ownerOf(startedBy.id))) === reviewer
}
