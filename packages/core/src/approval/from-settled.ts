import type {
  CancelledApproval,
  DeniedApproval,
  ExpiredApproval,
  FailedApproval,
  SucceededApproval,
  SupersededApproval,
  UnknownApproval,
} from "./approval.ts"
import type { ApprovalEvent, Transition } from "./approval-event.ts"
import { attachCaller, detachCaller } from "./callers.ts"
import { moved, refused, unchanged } from "./moves.ts"
import { type VerdictEvent, whyNotAgreed } from "./votes.ts"

type SettledApproval =
  | SucceededApproval
  | FailedApproval
  | UnknownApproval
  | DeniedApproval
  | ExpiredApproval
  | CancelledApproval
  | SupersededApproval

/** Settled is settled: only a verdict still gets an answer of its own, and an outcome is on its way until it was received. */
export function fromSettled(approval: SettledApproval, event: ApprovalEvent): Transition {
  if (event.type === "verdict") return lateVerdict(approval, event)
  if (isUndelivered(approval)) return onItsWay(approval, event)
  return refused({ code: "already-settled", status: approval.status })
}

/** The attached caller is being given the outcome; a later event says whether the caller received it or was gone. */
function onItsWay(approval: SucceededApproval | FailedApproval, event: ApprovalEvent): Transition {
  switch (event.type) {
    case "attach":
      return attachCaller(approval, event.caller)
    case "miss":
      return detachCaller(approval, event.caller)
    case "deliver":
      if (approval.caller !== event.caller) return refused({ code: "not-the-caller" })
      return moved({ ...approval, version: approval.version + 1, delivered: true })
    default:
      return refused({ code: "already-settled", status: approval.status })
  }
}

function isUndelivered(approval: SettledApproval): approval is SucceededApproval | FailedApproval {
  return (approval.status === "succeeded" || approval.status === "failed") && !approval.delivered
}

function lateVerdict(approval: SettledApproval, event: VerdictEvent): Transition {
  switch (approval.status) {
    case "succeeded":
    case "failed":
    case "unknown": {
      const contradiction = whyNotAgreed(approval, event)
      return contradiction === null ? unchanged : refused(contradiction)
    }
    case "denied":
      return event.kind === "deny" ? unchanged : refused({ code: "conflict", status: approval.status })
    case "expired":
    case "cancelled":
    case "superseded":
      return refused({ code: "already-settled", status: approval.status })
  }
}
