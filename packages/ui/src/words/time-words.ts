/** Times in words. They say what a person needs at a glance; the exact time stands beside them for whoever looks closer. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Such as `3 min`, `2 h 5 min`, `4 days`; never less than a second. */
export function lengthInWords(ms: number): string {
  if (ms < minute) return `${Math.max(1, Math.round(ms / 1000))} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < day) {
    const minutes = Math.floor((ms % hour) / minute)
    return minutes === 0 ? `${Math.floor(ms / hour)} h` : `${Math.floor(ms / hour)} h ${minutes} min`
  }
  const days = Math.floor(ms / day)
  return days === 1 ? "1 day" : `${days} days`
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
