import type { Approval, CallerId, Held } from "./approval.ts"
import type { ApprovalEffect, Transition, TransitionRefusal } from "./approval-event.ts"

/** The event is already true. */
export const unchanged: Transition = { kind: "unchanged" }

export function moved(next: Approval, effects: readonly ApprovalEffect[] = []): Transition {
  return { kind: "moved", next, effects }
}

export function refused(refusal: TransitionRefusal): Transition {
  return { kind: "refused", refusal }
}

/** The effect that tells the waiting caller; none for a permit, which has no caller. */
export function tell(caller: CallerId | null): readonly ApprovalEffect[] {
  return caller === null ? [] : [{ type: "tell-caller", caller }]
}

/** Whether a deadline has come. Written so that a deadline which is not a number counts as past. */
export function isPast(deadline: number | null, at: number): boolean {
  return deadline !== null && !(at < deadline)
}

/** The refusal of what comes after the deadline; null before it. */
export function pastExpiry({ expiresAt }: { readonly expiresAt: number | null }, at: number): Transition | null {
  return expiresAt !== null && isPast(expiresAt, at) ? refused({ code: "past-expiry", expiresAt }) : null
}

type BesideArgs = Pick<Held, "extraParams" | "droppedParams" | "connection">

/** The params of a call besides its arguments, and the connection it goes over; most have nothing to tell of either. */
export function besideArgs(call: BesideArgs): BesideArgs {
  const { extraParams, droppedParams, connection } = call
  if (extraParams === undefined && droppedParams === undefined && connection === undefined) return nothing
  return {
    ...(extraParams === undefined ? {} : { extraParams }),
    ...(droppedParams === undefined ? {} : { droppedParams }),
    ...(connection === undefined ? {} : { connection }),
  }
}

const nothing = {}

/** The fields that the next state keeps, with the version raised by one. They are listed one by one, so that no field of the old status remains. */
export function nextHeld(approval: Approval): Held {
  return {
    id: approval.id,
    version: approval.version + 1,
    kind: approval.kind,
    tool: approval.tool,
    principal: approval.principal,
    session: approval.session,
    createdAt: approval.createdAt,
    access: approval.access,
    args: approval.args,
    ...besideArgs(approval),
    callDigest: approval.callDigest,
    editedArgs: approval.editedArgs,
    runDigest: approval.runDigest,
    fingerprint: approval.fingerprint,
    policyVersion: approval.policyVersion,
    why: approval.why,
    rule: approval.rule,
    remember: approval.remember,
    needs: approval.needs,
    votes: approval.votes,
    caller: approval.caller,
    rerunOf: approval.rerunOf,
    ...(approval.undoOf === undefined ? {} : { undoOf: approval.undoOf }),
    ...(approval.key === undefined ? {} : { key: approval.key }),
    ...(approval.starter === undefined ? {} : { starter: approval.starter }),
    ...(approval.checked === undefined ? {} : { checked: approval.checked }),
  }
}
