/**
 * The work of one judgement: all its conditions, of however many rules, draw on the same amount. Agents choose how much a call holds, and how hard it
 * is to read; nobody else is answered while it is judged.
 *
 * I1. What grows with the arguments is done only as far as it could be paid for: long texts, values in lists, readings of a name, places of files, looks at a
 *     text that a long glob takes. What does
 *     not grow with them is free, so that a call of ordinary size is judged by any number of rules.
 * I2. A condition that could not be looked at to its end cannot be judged, and says so.
 */
import type { Judgement } from "./judgement.ts"

/** What is left of it. One is about ten nanoseconds: a character that a few patterns are held against. */
export type JudgingWork = { workLeft: number }

/** Some tens of milliseconds. */
export const mostWork = 4_000_000

/** Whoever looks through a text leaves so much: an agent could else have a deny ask by what it sends beside. */
export const keptForLists = mostWork / 4

/** Said of an argument. */
export const tooMuchWork = { unjudged: "takes too much work to judge" } as const satisfies Judgement

/** Texts up to this length are free: the length of a path. */
export const shortText = 4_096

/** The price of each character of a value in a list. */
export const listedCharacter = 5

/** Looks at such a text that are free: a glob of 64 characters takes no more, whatever the text is. */
export const freeLooks = shortText * 65

/** Takes work that is to be done next. False: there is not so much left, and it is not to be done. */
export type TakeWork = (units: number) => boolean

/** `keep`: what is to be left for others. */
export function tookWork(work: JudgingWork, units: number, keep = 0): boolean {
  if (work.workLeft - units < keep) return false
  work.workLeft -= units
  return true
}
