import type { EpochMs } from "../../call/call.ts"
import type { AcceptedDefinition, Pin } from "./pin.ts"

/**
 * A pin without what was seen since then and no person has answered; null: nothing is left of it. What a person accepted or rejected stays, and so
 * does a quarantine.
 */
export function withoutSights({ alsoAccepted: also = [], ...pin }: Pin, since: EpochMs): Pin | null {
  const isKept = ({ by, at }: AcceptedDefinition): boolean => by !== null || at < since
  const [accepted = null, ...others] = [pin.accepted ?? [], also].flat().filter(isKept)
  const proposed = pin.proposed?.rejected !== undefined || (pin.proposed?.seenAt ?? since) < since ? pin.proposed : null
  const isAnswered = pin.quarantined !== undefined || pin.rejectedBefore !== undefined
  if (accepted === null && proposed === null && !isAnswered) return null
  return { ...pin, accepted, ...(others.length > 0 && { alsoAccepted: others }), proposed }
}
