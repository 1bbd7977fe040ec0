import type {
  ApprovedApproval,
  CallerId,
  FailedApproval,
  PendingApproval,
  RunningApproval,
  SucceededApproval,
} from "./approval.ts"
import type { Transition } from "./approval-event.ts"
import { moved, refused, unchanged } from "./moves.ts"

/** The approvals that a caller may wait for: an open one, or one whose outcome was not received yet. */
type Attachable = PendingApproval | ApprovedApproval | RunningApproval | SucceededApproval | FailedApproval

export function attachCaller<Open extends Attachable>(approval: Open, caller: CallerId): Transition {
  if (approval.caller === caller) return unchanged
  if (approval.caller !== null) return refused({ code: "has-caller" })
  return moved({ ...approval, version: approval.version + 1, caller })
}

/** The caller stops waiting; `left` says what else that changes. An approval without a caller stays unchanged. */
export function detachCaller<Open extends Attachable>(
  approval: Open,
  caller: CallerId,
  left: (alone: Open) => Open = (alone) => alone,
): Transition {
  if (approval.caller === null) return unchanged
  if (approval.caller !== caller) return refused({ code: "not-the-caller" })
  return moved(left({ ...approval, version: approval.version + 1, caller: null }))
}
