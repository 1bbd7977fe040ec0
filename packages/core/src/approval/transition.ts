/**
 * The approval state machine. Owns every change of an approval; performs none of the effects.
 *
 * I1. A settled approval never changes again. One exception, and it touches neither status nor outcome: until an
 *     outcome was received its callers come and go, and then it is marked delivered, once.
 * I2. "approved" needs the digest of the arguments the reviewer saw; for an edit, the one shown before the edit.
 * I3. "run-call" is emitted at most once per approval, whatever events arrive.
 * I4. Nothing runs once it is denied, expired, cancelled or superseded.
 * I5. The same verdict twice changes nothing; one that contradicts what was decided is refused.
 * I6. The owner of the calling token never counts as an approver unless `needs.selfApproval`; anyone may deny.
 * I7. It takes `needs.approvals` different reviewers, each from one of `needs.groups` if there are any, and all of
 *     the same arguments: an edit starts the count anew. One denial is enough to deny.
 * I8. Past its expiry an open call can only end: no verdict, caller, extension or run reaches it any more.
 * I9. A claim with another definition's fingerprint supersedes the approval and never runs it.
 * I10. Only an approved call is claimed, by its caller, or by a new one where there is none.
 * I11. A caller attaches only where there is none.
 * I12. Only its owner settles a running call; it is lost only once its lease has lapsed; a cancel is passed on, and
 *      the outcome still settles it.
 * I13. Every move raises the version by one.
 * I14. An outcome counts as delivered only by the word of the caller it was given to; settling alone delivers nothing.
 * I15. A running call gets another owner only from the one it has, and does not run anew by that.
 * I16. A reviewer has a call run only where it is approved and nobody is attached to it; its outcome then is for whoever repeats the call.
 */
import type { Approval } from "./approval.ts"
import type { ApprovalEvent, Transition } from "./approval-event.ts"
import { fromApproved } from "./from-approved.ts"
import { fromPending } from "./from-pending.ts"
import { fromRunning } from "./from-running.ts"
import { fromSettled } from "./from-settled.ts"

/** Applies an event to an approval: returns the next state with its effects, no change, or the reason why the event does not apply. */
export function transition(approval: Approval, event: ApprovalEvent): Transition {
  switch (approval.status) {
    case "pending":
      return fromPending(approval, event)
    case "approved":
      return fromApproved(approval, event)
    case "running":
      return fromRunning(approval, event)
    case "succeeded":
    case "failed":
    case "unknown":
    case "denied":
    case "expired":
    case "cancelled":
    case "superseded":
      return fromSettled(approval, event)
  }
}
