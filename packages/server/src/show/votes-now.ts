import type { Approval, ApprovalSummary } from "@byleave/core"
import type { ApiService } from "../service.ts"

/** Calls that wait, with the votes that count by now: those of people who are reviewers no more, or not in the group, are in the audit alone. */
export async function withVotesNow<Shown extends Approval | ApprovalSummary>(
  { gate }: Pick<ApiService, "gate">,
  approvals: readonly Shown[],
): Promise<readonly Shown[]> {
  const isVotedOn = ({ status, votes }: Shown) => status === "pending" && votes.length > 0
  if (!approvals.some(isVotedOn)) return approvals
  const counts = await gate.whichVotesCount()
  return approvals.map((one) =>
    isVotedOn(one) ? { ...one, votes: one.votes.filter((vote) => counts(one, vote)) } : one,
  )
}
