import type { DiffLine } from "../card/changes/line-diff.ts"

/** The lines at which a run of changed lines begins, by their places in the list. */
export function changeStarts(lines: readonly DiffLine[]): ReadonlySet<DiffLine> {
  return new Set(lines.filter(({ kind }, at) => kind !== "same" && (lines[at - 1]?.kind ?? "same") === "same"))
}

/** The place to go to next among `count`; null where there is none. Without a place to start from, it is the first or the last. */
export function nextPlace(count: number, at: number | null, step: 1 | -1): number | null {
  if (count === 0) return null
  if (at === null) return step === 1 ? 0 : count - 1
  const next = at + step
  return next < 0 || next >= count ? null : next
}
