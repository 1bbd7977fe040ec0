/** Counts of a stretch of time. */
export type TimeBar = { readonly from: number; readonly to: number; readonly counts: readonly number[] }

/**
 * Joins neighbours until at most `most` bars are left, so that each is wide enough to see and to touch. As many are joined each time, to a
 * length that divides a day or is made of days, counted from the newest: the last stretch, which is looked at first, is never a remnant.
 */
export function foldBars(bars: readonly TimeBar[], most: number): readonly TimeBar[] {
  const together = joinedBy(bars, Math.max(1, most))
  if (together <= 1) return bars
  const first = bars.length % together
  const groups = first === 0 ? [] : [bars.slice(0, first)]
  for (let at = first; at < bars.length; at += together) groups.push(bars.slice(at, at + together))
  return groups.flatMap(joined)
}

const day = 24 * 60 * 60_000

function joinedBy(bars: readonly TimeBar[], most: number): number {
  const least = Math.ceil(bars.length / most)
  // The first and the last may be cut short by the time that was asked for.
  const step = Math.max(0, ...bars.map(({ from, to }) => to - from))
  for (let together = least; together <= bars.length; together++) {
    const length = together * step
    const fits = Math.ceil(bars.length / together) <= most
    if (fits && (day % length === 0 || length % day === 0)) return together
  }
  return least
}

function joined(group: readonly TimeBar[]): readonly TimeBar[] {
  const [first] = group
  const last = group.at(-1)
  if (first === undefined || last === undefined) return []
  const counts = first.counts.map((_, series) => group.reduce((sum, bar) => sum + (bar.counts[series] ?? 0), 0))
  return [{ from: first.from, to: last.to, counts }]
}
