import type { Refusal } from "../../approval/refusal.ts"
import type { Call } from "../../call/call.ts"
import { isRunPrincipal } from "../../call/run-principal.ts"
import { sizeInWords } from "../../call/text/size-in-words.ts"
import type { Limits } from "../../policy/rules/rule.ts"
import type { HeldExcess, HeldLimits, Store } from "../store.ts"

/** The policy's limits on waiting calls, in the form the store counts by. */
export function heldLimits(limits: Limits): HeldLimits {
  const { waitingPerSession, waitingPerPrincipal, waitingInAll, heldBytesPerPrincipal, heldBytesInAll } = limits
  return {
    perSession: { calls: waitingPerSession },
    perPrincipal: { calls: waitingPerPrincipal, bytes: heldBytesPerPrincipal },
    perProgram: {
      calls: Math.max(waitingPerPrincipal, Math.floor(waitingInAll / 2)),
      bytes: Math.max(heldBytesPerPrincipal, Math.floor(heldBytesInAll / 2)),
    },
    inAll: { calls: waitingInAll, bytes: heldBytesInAll },
  }
}

/** The limit that is reached before the call is looked at: whatever it is, it cannot be held. The commit that holds it counts anew, bytes included. */
export async function alreadyHeld(
  store: Pick<Store, "countApprovals">,
  { principal, session }: Call,
  limits: HeldLimits,
): Promise<HeldExcess | null> {
  const most = limits.perSession?.calls
  if (most === undefined || isRunPrincipal(principal.id)) return null
  const used = await store.countApprovals({ statuses: ["pending"], principal: principal.id, session: session.id })
  return used < most ? null : { of: "session", what: "calls", most, used }
}

const whose = {
  session: "of this session are already waiting for approval",
  principal: "of this agent, across all its sessions, are already waiting for approval",
  program: "of this program's agents are already waiting for approval",
  all: "of all agents are already waiting for approval",
  run: "of this run are already waiting for approval",
  starter: "of this starter's runs are already waiting for approval",
} as const satisfies Record<HeldExcess["of"], string>

/** Why one more call, of so many bytes, cannot be held, and what its agent can do. */
export function tooMuchHeld({ of, what, most, used }: HeldExcess, own: number): Refusal {
  if (what === "calls") {
    const reason = `${used} calls ${whose[of]}; the limit is ${most}. Wait until some are decided.`
    return { by: "limit", code: "too-many-waiting", reason }
  }
  const reason =
    own > most
      ? `This call's arguments are ${sizeInWords(own)}; at most ${sizeInWords(most)} can wait for approval. Send less in one call.`
      : `Calls with ${sizeInWords(used)} of arguments ${whose[of]}; the limit is ${sizeInWords(most)}, and this one has ${sizeInWords(own)}. Wait until some are decided, or send less in one call.`
  return { by: "limit", code: "too-much-held", reason }
}
