import { limitPerDay } from "../decide/exceeded-limit.ts"
import type { Limits } from "../rules/rule.ts"
import { formatTargetPattern } from "../rules/target-pattern.ts"

/** Limits with which nothing passes that either would stop: of each the lower count, the longer time and all that starts a cool-down. */
export function stricterLimits(one: Limits, other: Partial<Limits>): Limits {
  const isPerDay = one.autoAllowedPerDay !== undefined || other.autoAllowedPerDay !== undefined
  return {
    ...one,
    ...present("autoAllowedPerSession", least(one.autoAllowedPerSession, other.autoAllowedPerSession)),
    // One that is not given goes with the count per session.
    ...present("autoAllowedPerDay", isPerDay ? least(limitPerDay(one), limitPerDay(other)) : undefined),
    ...present("autoAllowedPerMinute", least(one.autoAllowedPerMinute, other.autoAllowedPerMinute)),
    ...present("coolDown", longerCoolDown(one.coolDown, other.coolDown)),
    ...present("bulk", stricterBulk(one.bulk, other.bulk)),
    waitingPerSession: Math.min(one.waitingPerSession, other.waitingPerSession ?? one.waitingPerSession),
    waitingPerPrincipal: Math.min(one.waitingPerPrincipal, other.waitingPerPrincipal ?? one.waitingPerPrincipal),
    waitingInAll: Math.min(one.waitingInAll, other.waitingInAll ?? one.waitingInAll),
    heldBytesPerPrincipal: Math.min(
      one.heldBytesPerPrincipal,
      other.heldBytesPerPrincipal ?? one.heldBytesPerPrincipal,
    ),
    heldBytesInAll: Math.min(one.heldBytesInAll, other.heldBytesInAll ?? one.heldBytesInAll),
    denials: {
      count: Math.min(one.denials.count, (other.denials ?? one.denials).count),
      withinMs: Math.max(one.denials.withinMs, (other.denials ?? one.denials).withinMs),
    },
  }
}

function present<K extends keyof Limits>(key: K, value: Limits[K] | undefined): Pick<Limits, K> | object {
  return value === undefined ? {} : { [key]: value }
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined) return other
  return other === undefined ? one : Math.min(one, other)
}

function stricterBulk(one: Limits["bulk"], other: Limits["bulk"]): Limits["bulk"] {
  if (one === undefined || other === undefined) return one ?? other
  return { writes: Math.min(one.writes, other.writes), withinMs: Math.max(one.withinMs, other.withinMs) }
}

function longerCoolDown(one: Limits["coolDown"], other: Limits["coolDown"]): Limits["coolDown"] {
  if (one === undefined || other === undefined) return one ?? other
  const patterns = new Map([...one.after, ...other.after].map((pattern) => [formatTargetPattern(pattern), pattern]))
  return { after: [...patterns.values()], forMs: Math.max(one.forMs, other.forMs) }
}
