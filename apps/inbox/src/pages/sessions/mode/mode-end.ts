/** When a mode ends. It always does: within a day, and after an hour unless somebody says otherwise. */

export type EndChoice = "15" | "30" | "60" | "time"

type ModeEnd = { readonly ok: true; readonly until: number } | { readonly ok: false; readonly why: string }

const minute = 60_000

export function modeEnd(choice: EndChoice, time: string, now: number): ModeEnd {
  if (choice !== "time") return { ok: true, until: now + Number(choice) * minute }
  const until = nextTime(time, now)
  return until === null ? { ok: false, why: "Enter a time of day, such as 18:30." } : { ok: true, until }
}

/** The next moment at which the clock here shows `HH:MM`; null when that is no time of day. */
function nextTime(time: string, now: number): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  if (hours === undefined || minutes === undefined) return null
  const at = new Date(now)
  at.setHours(Number(hours), Number(minutes), 0, 0)
  if (at.getTime() <= now) at.setDate(at.getDate() + 1)
  return at.getTime()
}
