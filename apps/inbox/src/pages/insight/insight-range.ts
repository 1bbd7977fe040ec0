type RangeName = "hour" | "day" | "week" | "month"
type Range = { readonly since: number; readonly until: number }

export const rangeChoices = [
  { value: "hour", label: "Last hour", words: "in the last hour" },
  { value: "day", label: "Last 24 hours", words: "in the last 24 hours" },
  { value: "week", label: "Last 7 days", words: "in the last 7 days" },
  { value: "month", label: "Last 30 days", words: "in the last 30 days" },
] as const satisfies readonly { readonly value: RangeName; readonly label: string; readonly words: string }[]

export function readRange(value: unknown): RangeName {
  return rangeChoices.find((choice) => choice.value === value)?.value ?? "day"
}

const minute = 60_000
const hour = 60 * minute

/** Whole minutes, hours or days of the reader's own clock, the present one included, so that a bar is a minute, an hour or a day people speak of. */
export function rangeOf(name: RangeName, now: number): Range {
  if (name === "hour") {
    const until = (Math.floor(now / minute) + 1) * minute
    return { since: until - hour, until }
  }
  if (name === "day") {
    const until = nextHour(now)
    return { since: until - 24 * hour, until }
  }
  return { since: dayStart(now, name === "week" ? -6 : -29), until: dayStart(now, 1) }
}

function nextHour(now: number): number {
  const date = new Date(now)
  date.setMinutes(60, 0, 0)
  return date.getTime()
}

function dayStart(now: number, days: number): number {
  const date = new Date(now)
  date.setHours(0, 0, 0, 0)
  date.setDate(date.getDate() + days)
  return date.getTime()
}
