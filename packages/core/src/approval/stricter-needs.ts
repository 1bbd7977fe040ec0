import type { Held } from "./approval.ts"

/** Both demands at once. Groups that share no member leave one name that nobody bears: better unanswerable than answered by the wrong person. */
export function stricterNeeds(needs: Held["needs"], others: Held["needs"]): Held["needs"] {
  return {
    approvals: Math.max(needs.approvals, others.approvals),
    groups: bothGroups(needs.groups, others.groups),
    selfApproval: needs.selfApproval && others.selfApproval,
  }
}

function bothGroups(groups: readonly string[], others: readonly string[]): readonly string[] {
  if (groups.length === 0 || others.length === 0) return groups.length === 0 ? others : groups
  const shared = groups.filter((group) => others.includes(group))
  return shared.length > 0 ? shared : [`(${groups.join(" or ")}) and (${others.join(" or ")})`]
}
