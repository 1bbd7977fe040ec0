import type { ApprovedApproval, Held } from "../../approval/approval.ts"
import type { Demands } from "../../approval/approval-event.ts"
import { mayBeDecidedInClient } from "../../approval/decided-in-client.ts"
import { stricterNeeds } from "../../approval/stricter-needs.ts"
import { isCarried } from "../../approval/votes.ts"
import type { Decision } from "../../policy/decide/decision.ts"

/** The recorded names of approvers that are not reviewers: a program that wanted to be asked, one that conveys people's decisions, an agent's client. */
export const askedForBy = "asked for by "
export const conveyedBy = "conveyed by "
const inClient = "client:"

/** Whether only the program that wanted to be asked has said yes: to policy the call is one that nobody was asked about. */
export function isOnlyAskedFor(by: string): boolean {
  return by.startsWith(askedForBy)
}

/** Whether an answer came from a person who is known, not from a program or an agent's client. */
export function isReviewersAnswer(by: string): boolean {
  return ![askedForBy, conveyedBy, inClient].some((start) => by.startsWith(start))
}

/** Why a yes counts no more, as policy is by now; null: it does. */
export function lapsedYes(
  approval: Held & Pick<ApprovedApproval, "by">,
  decision: Decision,
  demands: Demands,
): string | null {
  const { by } = approval
  if (decision.effect === "allow") return null
  if (isOnlyAskedFor(by)) return needsPerson
  const needs = stricterNeeds(approval.needs, demands.needs)
  if (isReviewersAnswer(by)) return isCarried({ ...approval, needs }, demands.groupsNow) ? null : needsOthers
  return mayBeDecidedInClient({ remember: demands.remember, needs }) ? null : needsPerson
}

export const needsPerson = "By now a reviewer must decide about this call, and none has. It was not run."
const needsOthers =
  "By now more or other reviewers must approve this call than have. It was not run. Make the same call again to have them asked."
