/** Counts of a stretch of time. */
export type TimeBar = { readonly from: number; readonly to: number; readonly counts: readonly number[] }

/**
 * Joins neighbours until at most `most` bars are left, so that each is wide enough to see and to touch. As many are joined each time, by
 * a number people count in (2, 3, 4, 6, 12 …), counted from the newest: the last stretch, which is looked at first, is never a remnant.
 */
export function foldBars(bars: readonly TimeBar[], most: number): readonly TimeBar[] {
  const together = joinedBy(bars.length, Math.max(1, most))
  if (together === 1) return bars
  const first = bars.length % together
  const groups = first === 0 ? [] : [bars.slice(0, first)]
  for (let at = first; at < bars.length; at += together) groups.push(bars.slice(at, at + together))
  return groups.flatMap(joined)
}

const countable = [1, 2, 3, 4, 6, 7, 8, 12, 24]

function joinedBy(count: number, most: number): number {
  return countable.find((together) => Math.ceil(count / together) <= most) ?? Math.ceil(count / most)
}

function joined(group: readonly TimeBar[]): readonly TimeBar[] {
  const [first] = group
  const last = group.at(-1)
  if (first === undefined || last === undefined) return []
  const counts = first.counts.map((_, series) => group.reduce((sum, bar) => sum + (bar.counts[series] ?? 0), 0))
  return [{ from: first.from, to: last.to, counts }]
}
