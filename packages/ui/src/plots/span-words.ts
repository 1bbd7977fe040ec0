/** Stretches of time in words, in the time zone of whoever reads them. */

type LocalTime = {
  readonly weekday: string
  readonly day: string
  readonly month: string
  readonly time: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(zone ?? "")
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(zone === undefined ? {} : { timeZone: zone }),
  })
  formats.set(zone ?? "", made)
  return made
}

function localTime(at: number, zone: string | undefined): LocalTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ""
  return {
    weekday: part("weekday"),
    day: part("day"),
    month: part("month"),
    time: `${part("hour")}:${part("minute")}`,
  }
}

const midnight = "00:00"

/** Such as `Tuesday 14:00–15:00`, `Tuesday 10 November`, `9–11 November`, `Mon 9 Nov 22:00 – Tue 10 Nov 02:00`. */
export function spanInWords(from: number, to: number, zone?: string): string {
  const start = localTime(from, zone)
  const end = localTime(to, zone)
  const lastDay = localTime(to - 1, zone)
  const isOneDay = start.day === lastDay.day && start.month === lastDay.month
  if (start.time === midnight && end.time === midnight) return isOneDay ? dayOf(start) : daysOf(start, lastDay)
  if (!isOneDay) return `${shortDay(start)} ${start.time} – ${shortDay(end)} ${end.time}`
  return `${start.weekday} ${start.time}–${end.time === midnight ? "24:00" : end.time}`
}

function dayOf({ weekday, day, month }: LocalTime): string {
  return `${weekday} ${day} ${month}`
}

function daysOf(start: LocalTime, end: LocalTime): string {
  return start.month === end.month
    ? `${start.day}–${end.day} ${end.month}`
    : `${start.day} ${start.month} – ${end.day} ${end.month}`
}

function shortDay({ weekday, day, month }: LocalTime): string {
  return `${weekday.slice(0, 3)} ${day} ${month.slice(0, 3)}`
}

/** The label below a bar that begins here: the hour, or the day where one begins. */
export function tickOf(at: number, zone?: string): string {
  const { weekday, day, time } = localTime(at, zone)
  return time === midnight ? `${weekday.slice(0, 3)} ${day}` : time
}

/** Every how many bars a label fits below, at `room` pixels each. */
export function labelEvery(bars: number, width: number, room = 56): number {
  return bars === 0 ? 1 : Math.max(1, Math.ceil((bars * room) / Math.max(1, width)))
}
