const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** A bound of a histogram as people say it: `5 s`, `2 min`, `8 h`. */
export function boundInWords(ms: number): string {
  if (ms < minute) return `${Math.round(ms / second)} s`
  if (ms < hour) return `${rounded(ms / minute)} min`
  if (ms < 24 * hour) return `${rounded(ms / hour)} h`
  const days = rounded(ms / (24 * hour))
  return days === 1 ? "1 day" : `${days} days`
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** Such as `under 5 s`, `5 s to 1 min`, `over 1 h`. */
export function waitInWords(from: number | null, to: number | null): string {
  if (to === null) return from === null ? "any time" : `over ${boundInWords(from)}`
  return from === null || from === 0 ? `under ${boundInWords(to)}` : `${boundInWords(from)} to ${boundInWords(to)}`
}
