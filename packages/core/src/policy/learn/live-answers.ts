import { groupedBy } from "../decide/map-of-lists.ts"
import type { LocatedCall } from "./located-call.ts"

/** The answers that still tell what people want; oldest first. */
export type LiveAnswers = {
  /** One by one. */
  readonly approved: readonly LocatedCall[]
  readonly denied: readonly LocatedCall[]
}

/**
 * People change their minds. A yes is outlived by a later no to the same kind of file in the same folder. A no is outlived only by a yes to the very same
 * place, since its neighbours say nothing about it, or when all of a folder was denied before and only allowed since. `kindOf`: the same text for files
 * of one kind in one folder.
 */
export function liveAnswers(calls: readonly LocatedCall[], kindOf: (one: LocatedCall) => string): LiveAnswers {
  const live = [...groupedBy(calls, kindOf).values()].map(liveInFolder)
  return {
    approved: live.flatMap(({ approved }) => approved).toSorted(byTime),
    denied: live.flatMap(({ denied }) => denied).toSorted(byTime),
  }
}

/** Oldest first. */
export function byTime(one: LocatedCall, other: LocatedCall): number {
  return one.call.at - other.call.at || (one.call.id < other.call.id ? -1 : 1)
}

/** `answers`: to calls of one kind, oldest first. */
function liveInFolder(answers: readonly LocatedCall[]): LiveAnswers {
  const last = answers.findLastIndex(isNo)
  const approved = answers.slice(last + 1).filter(({ call }) => call.alone)
  const before = answers.slice(0, last + 1)
  if (isTurned(before, approved)) return { approved, denied: [] }
  const lastYes = new Map(answers.map((one, at) => [one.place, isNo(one) ? -1 : at]))
  return { approved, denied: before.filter((one, at) => isNo(one) && (lastYes.get(one.place) ?? -1) < at) }
}

function isNo({ call }: LocatedCall): boolean {
  return call.answer !== "approve"
}

const fewestDenied = 2
const fewestAllowed = 3

/** Several places were denied and none allowed; since then several were allowed, in more than one session. */
function isTurned(before: readonly LocatedCall[], approved: readonly LocatedCall[]): boolean {
  if (!before.every(isNo) || placesIn(before) < fewestDenied || placesIn(approved) < fewestAllowed) return false
  return new Set(approved.map(({ call }) => call.session)).size > 1
}

function placesIn(calls: readonly LocatedCall[]): number {
  return new Set(calls.map(({ place }) => place)).size
}
