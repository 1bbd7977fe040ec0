/**
 * Keeps reviewers from approving for themselves.
 *
 * I1. Nobody lets more run in a session of a token they own.
 * I2. Nobody who owns any token lets more run for everyone, by a grant or by accepting a changed definition.
 */
import { type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"

const yours =
  "That would let calls under your own token run. Somebody else must do it, or policy.selfApproval must allow it."

/**
 * Keeps reviewers from widening the rights of their own tokens: in a session, or (`principal` null) for everyone, including them.
 */
export async function refuseSelfApproval(
  service: ApiService,
  reviewer: string,
  principal: string | null,
): Promise<RefusedRequest | null> {
  if (service.policy().selfApproval) return null
  const { identify } = service.credentials
  const own = principal === null ? await identify.ownsAny(reviewer) : (await identify.ownerOf(principal)) === reviewer
  return own ? refuse("self-approval", yours) : null
}
