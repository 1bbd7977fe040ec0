import type { GrantView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { useAct } from "./use-act.ts"

/** Forgets a remembered answer as it was shown. Gives what went wrong, or null. */
export function useUndoGrant(): (grant: GrantView) => Promise<string | null> {
  const { act } = useAct("revokeGrant")
  return async (grant) => {
    const reply = await act({ params: { id: grant.id }, body: { digest: await grantsDigest([grant]) } })
    return reply.ok ? null : reply.problem.detail
  }
}
