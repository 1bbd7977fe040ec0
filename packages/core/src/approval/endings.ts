import type { EpochMs } from "../call/call.ts"
import type { ApprovedApproval, PendingApproval } from "./approval.ts"
import type { Transition } from "./approval-event.ts"
import { isPast, moved, nextHeld, refused, tell } from "./moves.ts"
import type { Refusal } from "./refusal.ts"

type NotStarted = PendingApproval | ApprovedApproval

// The ways a call that has not started ends without running are the same whether it was approved yet or not.

export function expire(approval: NotStarted, at: EpochMs): Transition {
  if (!isPast(approval.expiresAt, at)) return refused({ code: "not-due" })
  return moved({ ...nextHeld(approval), status: "expired", settledAt: at }, tell(approval.caller))
}

export function cancel(approval: NotStarted, detail: string, at: EpochMs): Transition {
  return moved({ ...nextHeld(approval), status: "cancelled", settledAt: at, detail }, tell(approval.caller))
}

export function supersede(approval: NotStarted, detail: string, at: EpochMs): Transition {
  return moved({ ...nextHeld(approval), status: "superseded", settledAt: at, detail }, tell(approval.caller))
}

export function forbid(approval: NotStarted, refusal: Refusal, at: EpochMs): Transition {
  return moved({ ...nextHeld(approval), status: "denied", settledAt: at, refusal, by: null }, tell(approval.caller))
}
