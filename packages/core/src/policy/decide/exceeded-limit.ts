import type { EpochMs } from "../../call/call.ts"
import type { Limits } from "../rules/rule.ts"
import type { LimitName, Usage } from "./decision.ts"

/** The limits of what runs unasked. */
export type UsageLimits = Pick<
  Limits,
  "autoAllowedPerSession" | "autoAllowedPerDay" | "autoAllowedPerMinute" | "coolDown" | "bulk"
>

/** Of an agent that has done nothing lately. */
export const idleUsage: Usage = {
  autoAllowedInSession: 0,
  autoAllowedInDay: 0,
  autoAllowedInMinute: 0,
  writesInWindow: 0,
  coolDownUntil: null,
}

/** The limit that keeps one more call from running unasked. */
export function exceededLimit(limits: UsageLimits, usage: Usage, isWrite: boolean, now: EpochMs): LimitName | null {
  const { autoAllowedPerSession, autoAllowedPerMinute, bulk } = limits
  const perDay = limitPerDay(limits)
  if (usage.coolDownUntil !== null && usage.coolDownUntil > now) return "coolDown"
  if (autoAllowedPerSession !== undefined && usage.autoAllowedInSession >= autoAllowedPerSession)
    return "autoAllowedPerSession"
  if (perDay !== undefined && usage.autoAllowedInDay >= perDay) return "autoAllowedPerDay"
  if (autoAllowedPerMinute !== undefined && usage.autoAllowedInMinute >= autoAllowedPerMinute)
    return "autoAllowedPerMinute"
  if (bulk !== undefined && usage.writesInWindow >= bulk.writes && isWrite) return "bulk"
  return null
}

/** An agent opens a new session whenever it likes, so what one session may do is what all of them may do within a day. */
export function limitPerDay({ autoAllowedPerDay, autoAllowedPerSession }: UsageLimits): number | undefined {
  return autoAllowedPerDay ?? autoAllowedPerSession
}
