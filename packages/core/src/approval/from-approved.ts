import type { ApprovedApproval, RunNow } from "./approval.ts"
import type { ApprovalEvent, Transition } from "./approval-event.ts"
import { attachCaller, detachCaller } from "./callers.ts"
import { cancel, expire, forbid, supersede } from "./endings.ts"
import { moved, nextHeld, pastExpiry, refused, unchanged } from "./moves.ts"
import { permitExpiry } from "./permit-expiry.ts"
import { type VerdictEvent, whyNotAgreed } from "./votes.ts"

type Claim = Extract<ApprovalEvent, { type: "claim" }>
type RunNowEvent = Extract<ApprovalEvent, { type: "run-now" }>
type Revocation = Extract<ApprovalEvent, { type: "revoke" }>
type SignOfLife = Extract<ApprovalEvent, { type: "renew-permit" }>

export function fromApproved(approval: ApprovedApproval, event: ApprovalEvent): Transition {
  switch (event.type) {
    case "verdict":
      return pastExpiry(approval, event.at) ?? agree(approval, event)
    case "attach":
      return pastExpiry(approval, event.at) ?? attachCaller(approval, event.caller)
    case "detach":
      return (
        pastExpiry(approval, event.at) ??
        detachCaller(approval, event.caller, (permit) => ({
          ...permit,
          expiresAt: permitExpiry(permit, permit.at, event),
        }))
      )
    case "renew-permit":
      return pastExpiry(approval, event.at) ?? renewPermit(approval, event)
    case "claim":
      return pastExpiry(approval, event.at) ?? claim(approval, event)
    case "run-now":
      return pastExpiry(approval, event.at) ?? runNow(approval, event)
    case "expire":
      return expire(approval, event.at)
    case "cancel":
      return cancel(approval, event.detail, event.at)
    case "revoke":
      return pastExpiry(approval, event.at) ?? revoke(approval, event)
    case "forbid":
      return forbid(approval, event.refusal, event.at)
    case "supersede":
      return supersede(approval, event.detail, event.at)
    case "extend":
      return refused({ code: "not-pending", status: approval.status })
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

function agree(approval: ApprovedApproval, event: VerdictEvent): Transition {
  const contradiction = whyNotAgreed(approval, event)
  return contradiction === null ? unchanged : refused(contradiction)
}

function renewPermit(approval: ApprovedApproval, event: SignOfLife): Transition {
  const expiresAt = permitExpiry(approval, approval.at, event)
  if (expiresAt === approval.expiresAt) return unchanged
  return moved({ ...approval, version: approval.version + 1, expiresAt })
}

/** An approval with a caller is about to run and can no longer be revoked. */
function revoke(approval: ApprovedApproval, { reviewer, at }: Revocation): Transition {
  if (approval.caller !== null) return refused({ code: "has-caller" })
  return cancel(approval, `${reviewer.id} revoked the approval before it was used.`, at)
}

function claim(approval: ApprovedApproval, event: Claim): Transition {
  if (approval.caller !== null && approval.caller !== event.caller) return refused({ code: "has-caller" })
  return begin({ ...approval, caller: event.caller }, event)
}

/** A caller that waits runs it itself, and so does an agent run. No caller is attached, so the agent can come back to it while it runs and afterwards. */
function runNow(approval: ApprovedApproval, event: RunNowEvent): Transition {
  if (approval.caller !== null || approval.expiresAt === null) return refused({ code: "has-caller" })
  return begin(approval, event, { by: event.reviewer.id, keptUntil: approval.expiresAt })
}

function begin(approval: ApprovedApproval, event: Claim | RunNowEvent, ordered?: RunNow): Transition {
  if (event.fingerprint !== approval.fingerprint) {
    return supersede(approval, "The tool's definition changed after this call was approved.", event.at)
  }
  return moved(
    {
      ...nextHeld(approval),
      status: "running",
      startedAt: event.at,
      approvedBy: approval.by,
      owner: event.owner,
      leaseUntil: event.leaseUntil,
      cancelAsked: false,
      ...(ordered === undefined ? {} : { runNow: ordered }),
    },
    [{ type: "run-call" }],
  )
}
