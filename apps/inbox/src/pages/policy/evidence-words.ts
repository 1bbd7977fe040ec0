import type { SuggestionView } from "@byleave/api"

type Evidence = Pick<SuggestionView, "approved" | "denied" | "sessions" | "days">

/** What a suggestion rests on: `7 decisions in 3 sessions over 2 days: all allowed`. */
export function evidenceWords({ approved, denied, sessions, days }: Evidence): string {
  const all = approved + denied
  const over = `${counted(all, "decision")} in ${counted(sessions, "session")} over ${counted(days, "day")}`
  if (denied === 0) return `${over}: ${all === 1 ? "allowed" : "all allowed"}`
  if (approved === 0) return `${over}: ${all === 1 ? "denied" : "all denied"}`
  return `${over}: ${approved} allowed, ${denied} denied`
}

/** What accepting it brings. */
export function effectWords({ saves, also, narrows }: Pick<SuggestionView, "saves" | "also" | "narrows">): string {
  if (narrows !== null) return "You denied what a rule now lets run. This one asks about it again."
  const saved = `Saves ${counted(saves, "question")} a week.`
  const more = also.length === 0 ? "" : ` It would also have decided ${counted(also.length, "other call")}.`
  return `${saved}${more} If you later deny such a call, you are offered to take the rule back.`
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`
}
