/**
 * Nobody approves themselves.
 *
 * I1. Nobody lets more run in a session of a token they own.
 * I2. Nobody who owns any token lets more run for everyone, by a grant or by accepting a changed definition.
 */
import { type Refused, refuse } from "../refused.ts"
import type { Service } from "../service.ts"

const yours =
  "That would let calls under your own token run. Somebody else must do it, or policy.selfApproval must allow it."

/**
 * Nobody widens what their own token may do: neither in one of its sessions, nor (`principal` null) for everyone, which includes it.
 */
export async function refuseSelfApproval(
  service: Service,
  reviewer: string,
  principal: string | null,
): Promise<Refused | null> {
  if (service.policy().selfApproval) return null
  const { identify } = service.credentials
  const own = principal === null ? await identify.ownsAny(reviewer) : (await identify.ownerOf(principal)) === reviewer
  return own ? refuse("self-approval", yours) : null
}
