import { exactTime } from "../words/time-words.ts"

export type ExtendChoice = { readonly label: string; readonly words: string; readonly until: number | null }

const hour = 60 * 60_000

/** How much longer a call may wait. A choice that would not lengthen it is not offered: waiting is never shortened. */
export function extendChoices(expiresAt: number | null, now: number): readonly ExtendChoice[] {
  if (expiresAt === null) return []
  const timed = [
    { label: "1 more hour", until: expiresAt + hour },
    { label: "8 more hours", until: expiresAt + 8 * hour },
    { label: "Until tomorrow evening", until: tomorrowEvening(now) },
  ].filter(({ until }) => until > expiresAt)
  return [
    ...timed.map((choice) => ({ ...choice, words: `until ${exactTime(choice.until)}` })),
    { label: "Never expires", words: "waits until somebody decides or the agent withdraws it", until: null },
  ]
}

/** A working day later, as the reader's clock has it. */
function tomorrowEvening(now: number): number {
  const day = new Date(now)
  day.setDate(day.getDate() + 1)
  day.setHours(18, 0, 0, 0)
  return day.getTime()
}
