import type { Approval, RunningApproval } from "./approval.ts"
import type { ApprovalEvent, RunOutcome, Transition } from "./approval-event.ts"
import { attachCaller, detachCaller } from "./callers.ts"
import { isPast, moved, nextHeld, refused, tell, unchanged } from "./moves.ts"
import { whyNotAgreed } from "./votes.ts"

type LeaseRenewal = Extract<ApprovalEvent, { type: "renew-lease" }>
type TakeOver = Extract<ApprovalEvent, { type: "take-over" }>

export function fromRunning(approval: RunningApproval, event: ApprovalEvent): Transition {
  switch (event.type) {
    case "verdict": {
      const contradiction = whyNotAgreed(approval, event)
      return contradiction === null ? unchanged : refused(contradiction)
    }
    case "attach":
      return attachCaller(approval, event.caller)
    case "detach":
      return detachCaller(approval, event.caller)
    case "renew-lease":
      return renewLease(approval, event)
    case "take-over":
      return takeOver(approval, event)
    case "settle":
      if (approval.owner !== event.owner) return refused({ code: "not-the-owner" })
      return moved(settled(approval, event.outcome, event.at), tell(approval.caller))
    case "lose":
      if (!isPast(approval.leaseUntil, event.at)) return refused({ code: "not-due" })
      return moved(settled(approval, { kind: "unknown", detail: event.detail }, event.at), tell(approval.caller))
    case "cancel":
      return askToStop(approval)
    case "extend":
    case "expire":
    case "forbid":
    case "supersede":
      return refused({ code: "not-pending", status: approval.status })
    case "claim":
    case "run-now":
    case "revoke":
    case "renew-permit":
      return refused({ code: "not-approved", status: approval.status })
    case "deliver":
    case "miss":
      return refused({ code: "not-due" })
  }
}

function renewLease(approval: RunningApproval, { owner, leaseUntil }: LeaseRenewal): Transition {
  if (approval.owner !== owner) return refused({ code: "not-the-owner" })
  if (leaseUntil <= approval.leaseUntil) return unchanged
  return moved({ ...approval, version: approval.version + 1, leaseUntil })
}

/** The call runs on, in the hands it is in; only whose it is to settle changes. */
function takeOver(approval: RunningApproval, { from, owner, leaseUntil }: TakeOver): Transition {
  if (approval.owner !== from) return refused({ code: "not-the-owner" })
  return moved({ ...approval, version: approval.version + 1, owner, leaseUntil })
}

function askToStop(approval: RunningApproval): Transition {
  if (approval.cancelAsked) return unchanged
  return moved({ ...approval, version: approval.version + 1, cancelAsked: true }, [
    { type: "cancel-upstream", owner: approval.owner },
  ])
}

function settled(approval: RunningApproval, outcome: RunOutcome, at: number): Approval {
  const { startedAt, approvedBy, runNow } = approval
  const ordered = runNow === undefined ? {} : { runNow }
  const ran = { ...nextHeld(approval), startedAt, approvedBy, settledAt: at, ...ordered }
  switch (outcome.kind) {
    case "succeeded":
      return { ...ran, status: "succeeded", result: outcome.result, delivered: false }
    case "failed":
      return { ...ran, status: "failed", error: outcome.error, delivered: false }
    case "unknown":
      return { ...ran, status: "unknown", detail: outcome.detail }
  }
}
