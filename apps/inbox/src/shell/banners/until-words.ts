const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" })
const day = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" })

/** When something ends, as a clock says it; with the day where that is another one than today. */
export function untilWords(until: number, now: number): string {
  const time = clock.format(until)
  return day.format(until) === day.format(now) ? time : `${time} on ${day.format(until)}`
}
