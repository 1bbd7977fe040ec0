import { wholeName } from "../../call/text/quoted.ts"
import { durationWords } from "../conditions/duration-words.ts"
import { limitPerDay } from "../decide/exceeded-limit.ts"
import type { SidedChange } from "../rules/policy-change.ts"
import type { Limits } from "../rules/rule.ts"
import { formatTargetPattern } from "../rules/target-pattern.ts"

/** A lower count, a longer window and more that starts a cool-down are stricter; a limit that is stricter in one way and looser in another widens. */
export function compareLimits(before: Limits, after: Limits): readonly SidedChange[] {
  return [
    ...compareCount("Calls without approval per session", before.autoAllowedPerSession, after.autoAllowedPerSession),
    ...comparePerDay(before, after),
    ...compareCount("Calls without approval per minute", before.autoAllowedPerMinute, after.autoAllowedPerMinute),
    ...compareCount("Waiting calls per session", before.waitingPerSession, after.waitingPerSession),
    ...compareCount("Waiting calls per agent", before.waitingPerPrincipal, after.waitingPerPrincipal),
    ...compareCount("Waiting calls of all agents", before.waitingInAll, after.waitingInAll),
    ...compareCount("Bytes of waiting calls per agent", before.heldBytesPerPrincipal, after.heldBytesPerPrincipal),
    ...compareCount("Bytes of waiting calls of all agents", before.heldBytesInAll, after.heldBytesInAll),
    ...compareWindow("Writes before approval is needed again", bulkOf(before), bulkOf(after)),
    ...compareWindow("Denials that block a tool", before.denials, after.denials),
    ...compareCoolDown(before.coolDown, after.coolDown),
  ]
}

type Window = { readonly count: number; readonly withinMs: number }

/** Where neither says it, it goes with the count per session. */
function comparePerDay(before: Limits, after: Limits): readonly SidedChange[] {
  if (before.autoAllowedPerDay === undefined && after.autoAllowedPerDay === undefined) return []
  return compareCount("Calls without approval per agent and day", limitPerDay(before), limitPerDay(after))
}

function bulkOf({ bulk }: Limits): Window | undefined {
  return bulk === undefined ? undefined : { count: bulk.writes, withinMs: bulk.withinMs }
}

function compareCount(what: string, before: number | undefined, after: number | undefined): readonly SidedChange[] {
  if (before === after) return []
  const tightens = after !== undefined && (before === undefined || after < before)
  return [limitChange(tightens, `${what}: ${before ?? "no limit"} before, ${after ?? "no limit"} now.`)]
}

function compareWindow(what: string, before: Window | undefined, after: Window | undefined): readonly SidedChange[] {
  const text = (window: Window | undefined) =>
    window === undefined ? "no limit" : `${window.count} within ${durationWords(window.withinMs)}`
  if (before?.count === after?.count && before?.withinMs === after?.withinMs) return []
  const tightens =
    after !== undefined && (before === undefined || (after.count <= before.count && after.withinMs >= before.withinMs))
  return [limitChange(tightens, `${what}: ${text(before)} before, ${text(after)} now.`)]
}

type CoolDown = Limits["coolDown"]

function compareCoolDown(before: CoolDown, after: CoolDown): readonly SidedChange[] {
  const old = patternsOf(before)
  const now = patternsOf(after)
  const added = now.filter((pattern) => !old.includes(pattern))
  const removed = old.filter((pattern) => !now.includes(pattern))
  const longer = (after?.forMs ?? 0) - (before?.forMs ?? 0)
  if (added.length + removed.length === 0 && longer === 0) return []
  const text = (coolDown: CoolDown) =>
    coolDown === undefined
      ? "none"
      : `${durationWords(coolDown.forMs)} after ${patternsOf(coolDown).map(wholeName).join(", ")}`
  const sentence = `The cool-down after sensitive calls: ${text(before)} before, ${text(after)} now.`
  return [limitChange(removed.length === 0 && longer >= 0, sentence)]
}

function patternsOf(coolDown: CoolDown): readonly string[] {
  return (coolDown?.after ?? []).map(formatTargetPattern)
}

function limitChange(tightens: boolean, sentence: string): SidedChange {
  return { about: "limit", tightens, sentence }
}
