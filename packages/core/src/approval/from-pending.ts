import type { ApprovedApproval, PendingApproval } from "./approval.ts"
import type { ApprovalEvent, Transition } from "./approval-event.ts"
import { attachCaller, detachCaller } from "./callers.ts"
import { cancel, expire, forbid, supersede } from "./endings.ts"
import { isPast, moved, nextHeld, pastExpiry, refused, tell, unchanged } from "./moves.ts"
import { permitExpiry } from "./permit-expiry.ts"
import { stricterNeeds } from "./stricter-needs.ts"
import { asGiven, hasVoted, isCarried, stillCounts, type VerdictEvent, voteOf, whyNotApprover } from "./votes.ts"

type Extension = Extract<ApprovalEvent, { type: "extend" }>

export function fromPending(approval: PendingApproval, event: ApprovalEvent): Transition {
  switch (event.type) {
    case "verdict":
      return (
        pastExpiry(approval, event.at) ?? (event.kind === "deny" ? deny(approval, event) : approve(approval, event))
      )
    case "attach":
      return pastExpiry(approval, event.at) ?? attachCaller(approval, event.caller)
    case "detach":
      return pastExpiry(approval, event.at) ?? detachCaller(approval, event.caller)
    case "extend":
      return pastExpiry(approval, event.at) ?? extend(approval, event)
    case "expire":
      return expire(approval, event.at)
    case "cancel":
      return cancel(approval, event.detail, event.at)
    case "forbid":
      return forbid(approval, event.refusal, event.at)
    case "supersede":
      return supersede(approval, event.detail, event.at)
    case "claim":
    case "run-now":
    case "revoke":
    case "renew-permit":
      return refused({ code: "not-approved", status: approval.status })
    case "renew-lease":
    case "take-over":
    case "settle":
      return refused({ code: "not-the-owner" })
    case "lose":
    case "deliver":
    case "miss":
      return refused({ code: "not-due" })
  }
}

function deny(approval: PendingApproval, event: VerdictEvent): Transition {
  if (event.digest !== approval.runDigest) {
    return refused({ code: "digest-mismatch", expected: approval.runDigest })
  }
  // A denial without a reason is recorded with an empty one.
  const reason = event.reason ?? ""
  return moved(
    {
      ...nextHeld(approval),
      votes: [...approval.votes, voteOf(event)],
      status: "denied",
      settledAt: event.at,
      refusal: { by: "reviewer", code: "denied-by-reviewer", reason },
      by: event.reviewer.id,
    },
    tell(approval.caller),
  )
}

function approve(approval: PendingApproval, event: VerdictEvent): Transition {
  const edited = withDemands(withEdit(approval, event.edit), event.demands)
  const ineligible = whyNotApprover(edited, event.reviewer)
  if (ineligible !== null) return refused(ineligible)
  const vote = voteOf(event)
  const groupsNow = event.demands?.groupsNow ?? asGiven
  const stillCounting = (votes: PendingApproval["votes"]) =>
    votes.filter((cast) => stillCounts(edited, cast, groupsNow))
  // Before the digest: a repeated edit carries the digest from before it, which is no longer what stands here.
  if (hasVoted({ votes: stillCounting(approval.votes) }, vote)) return unchanged
  if (event.digest !== approval.runDigest) {
    return refused({ code: "digest-mismatch", expected: approval.runDigest })
  }
  // They were a reviewer, or in the group, when they asked.
  if (!stillCounts(edited, vote, groupsNow)) return refused({ code: "not-in-group", groups: edited.needs.groups })
  // The votes of those who may not approve it any more are in the audit; here they would be counted by whoever looks.
  const voted = { ...edited, version: approval.version + 1, votes: [...stillCounting(edited.votes), vote] }
  return isCarried(voted, groupsNow) ? moved(approved(voted, event), tell(approval.caller)) : moved(voted)
}

/** Earlier approvals were of other arguments, so an edit drops them. */
function withEdit(approval: PendingApproval, edit: VerdictEvent["edit"]): PendingApproval {
  if (edit === undefined || edit.digest === approval.runDigest) return approval
  const editedArgs = edit.digest === approval.callDigest ? null : edit.args
  const { checked: _, ...before } = approval
  return {
    ...before,
    ...(edit.checked === undefined ? {} : { checked: edit.checked }),
    editedArgs,
    runDigest: edit.digest,
    votes: [],
  }
}

/** Policy may have become stricter since the call was held, or be so about edited arguments. Earlier approvals count if they meet it. */
function withDemands(approval: PendingApproval, demands: VerdictEvent["demands"]): PendingApproval {
  if (demands === undefined) return approval
  const needs = stricterNeeds(approval.needs, demands.needs)
  return { ...approval, needs, remember: demands.remember === "never" ? "never" : approval.remember }
}

function approved(voted: PendingApproval, event: VerdictEvent): ApprovedApproval {
  return {
    ...nextHeld(voted),
    version: voted.version,
    status: "approved",
    at: event.at,
    by: event.reviewer.id,
    grant: event.grant ?? null,
    expiresAt: permitExpiry(voted, event.at, event),
  }
}

/** Lets a call wait at least until then. Never shortens: a reviewer with an old page must not cut off another's extension. */
function extend(approval: PendingApproval, { until, at }: Extension): Transition {
  if (until !== null && isPast(until, at)) return refused({ code: "past-expiry", expiresAt: until })
  if (approval.expiresAt === null || (until !== null && until <= approval.expiresAt)) return unchanged
  return moved({ ...approval, version: approval.version + 1, expiresAt: until })
}
