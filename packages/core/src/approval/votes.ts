import type { Approval, Held, Vote } from "./approval.ts"
import type { ApprovalEvent, Reviewer, TransitionRefusal } from "./approval-event.ts"

/** The groups that a vote counts for by now; null: whoever gave it is no reviewer any more. */
export type GroupsNow = (vote: Vote) => readonly string[] | null

export const asGiven: GroupsNow = ({ groups }) => groups

export type VerdictEvent = Extract<ApprovalEvent, { type: "verdict" }>

/** Why an approval of any kind by this reviewer would not count for this call; null if it counts. */
export function whyNotApprover(
  approval: Pick<Held, "needs" | "principal">,
  reviewer: Reviewer,
): TransitionRefusal | null {
  const { groups, selfApproval } = approval.needs
  if (approval.principal.owner === reviewer.id && !selfApproval) {
    return { code: "self-approval", reviewer: reviewer.id }
  }
  if (groups.length > 0 && !groups.some((group) => reviewer.groups.includes(group))) {
    return { code: "not-in-group", groups }
  }
  return null
}

/** The arguments a verdict stands for: an editor has seen what they wrote. */
function votedDigest(event: VerdictEvent): string {
  return event.kind === "approve" && event.edit !== undefined ? event.edit.digest : event.digest
}

export function voteOf(event: VerdictEvent): Vote {
  return {
    reviewer: event.reviewer.id,
    groups: event.reviewer.groups,
    ...(event.reviewer.since === undefined ? {} : { since: event.reviewer.since }),
    kind: event.kind,
    digest: votedDigest(event),
    at: event.at,
    ...(event.reason === undefined ? {} : { reason: event.reason }),
    ...(event.face === undefined ? {} : { face: event.face }),
    ...(event.together === undefined ? {} : { together: event.together }),
  }
}

export function hasVoted(approval: Pick<Held, "votes">, vote: Vote): boolean {
  return approval.votes.some(
    (cast) => cast.reviewer === vote.reviewer && cast.kind === vote.kind && cast.digest === vote.digest,
  )
}

/** Whether whoever gave this vote may approve the call by now. */
export function stillCounts(approval: Pick<Held, "needs" | "principal">, vote: Vote, groupsNow: GroupsNow): boolean {
  const groups = groupsNow(vote)
  return groups !== null && whyNotApprover(approval, { id: vote.reviewer, groups }) === null
}

/** Whether enough different people whose approval counts have approved what would run. */
export function isCarried(
  approval: Pick<Held, "needs" | "principal" | "votes" | "runDigest">,
  groupsNow: GroupsNow = asGiven,
): boolean {
  const approvers = new Set<string>()
  for (const vote of approval.votes) {
    if (vote.kind !== "approve" || vote.digest !== approval.runDigest) continue
    if (stillCounts(approval, vote, groupsNow)) approvers.add(vote.reviewer)
  }
  return approvers.size >= approval.needs.approvals
}

/**
 * Judges a verdict that arrives once the call is approved or has run: agreement changes nothing, all else is refused.
 * Agreement must come from a reviewer whose approval counts, since more than this call may follow from it.
 */
export function whyNotAgreed(approval: Approval, event: VerdictEvent): TransitionRefusal | null {
  if (event.kind === "deny") return { code: "conflict", status: approval.status }
  const ineligible = whyNotApprover(approval, event.reviewer)
  if (ineligible !== null) return ineligible
  if (votedDigest(event) === approval.runDigest) return null
  if (event.edit !== undefined) return { code: "edit-after-vote" }
  return { code: "digest-mismatch", expected: approval.runDigest }
}
