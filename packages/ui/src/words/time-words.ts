/** Times in words. They say what a person needs at a glance; the exact time stands beside them for whoever looks closer. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function inLargestUnit(ms: number, count: (value: number) => number): string {
  if (ms < minute) return `${Math.round(ms / 1_000)} s`
  if (ms < hour) return `${count(ms / minute)} min`
  if (ms < day) return `${count(ms / hour)} h`
  const days = count(ms / day)
  return days === 1 ? "1 day" : `${days} days`
}

/** Such as `3 min`, `2 h 5 min`, `4 days`; never less than a second. */
export function lengthInWords(ms: number): string {
  const whole = inLargestUnit(Math.max(1_000, ms), Math.floor)
  const minutes = ms >= hour && ms < day ? Math.floor((ms % hour) / minute) : 0
  return minutes === 0 ? whole : `${whole} ${minutes} min`
}

/** A bound of a histogram as people say it: `5 s`, `1.5 min`, `8 h`. */
export function boundInWords(ms: number): string {
  return inLargestUnit(ms, (value) => Math.round(value * 10) / 10)
}

/** Such as `under 5 s`, `5 s to 1 min`, `over 1 h`. */
export function waitInWords(from: number | null, to: number | null): string {
  if (to === null) return from === null ? "any time" : `over ${boundInWords(from)}`
  return from === null || from === 0 ? `under ${boundInWords(to)}` : `${boundInWords(from)} to ${boundInWords(to)}`
}

/** How long a call took: `40 ms`, `1.2 s`, `3 min`. */
export function tookInWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < minute ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / minute)} min`
}

export function agoInWords(at: number, now: number): string {
  return now - at < 5_000 ? "just now" : `${lengthInWords(now - at)} ago`
}

export function leftInWords(until: number, now: number): string {
  return until <= now ? "over" : `${lengthInWords(until - now)} left`
}

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" })

export function exactTime(at: number): string {
  return exact.format(at)
}
