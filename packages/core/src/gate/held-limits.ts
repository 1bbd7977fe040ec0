import type { PendingApproval } from "../approval/approval.ts"
import type { Refusal } from "../approval/refusal.ts"
import { sizeInWords } from "../call/size-in-words.ts"
import type { Limits } from "../policy/rule.ts"
import type { HeldExcess, HeldLimits } from "./store.ts"

/** What policy lets wait, as the store counts it. */
export function heldLimits(limits: Limits): HeldLimits {
  const { waitingPerSession, waitingPerPrincipal, waitingInAll, heldBytesPerPrincipal, heldBytesInAll } = limits
  return {
    perSession: { calls: waitingPerSession },
    perPrincipal: { calls: waitingPerPrincipal, bytes: heldBytesPerPrincipal },
    inAll: { calls: waitingInAll, bytes: heldBytesInAll },
  }
}

const whose = {
  session: "of this session already wait for a person",
  principal: "of this agent already wait for a person, all its sessions together",
  all: "of all agents together already wait for a person",
} as const satisfies Record<HeldExcess["of"], string>

/** Why one more call cannot be held, and what its agent can do. */
export function tooMuchHeld({ of, what, most, used }: HeldExcess, pending: PendingApproval): Refusal {
  if (what === "calls") {
    const reason = `${used} calls ${whose[of]}; ${most} may. Wait until some are answered.`
    return { by: "limit", code: "too-many-waiting", reason }
  }
  const own = pending.checked?.bytes ?? 0
  const reason =
    own > most
      ? `This call's arguments are ${sizeInWords(own)}, and no more than ${sizeInWords(most)} may wait for a person. Send less in one call.`
      : `Calls with ${sizeInWords(used)} of arguments ${whose[of]}; ${sizeInWords(most)} may, and this one has ${sizeInWords(own)}. Wait until some are answered, or send less in one call.`
  return { by: "limit", code: "too-much-held", reason }
}
