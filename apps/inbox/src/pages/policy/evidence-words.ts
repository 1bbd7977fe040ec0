import type { SuggestionsView, SuggestionView } from "@byleave/api"
import { countOf } from "@byleave/ui"

type Evidence = Pick<SuggestionView, "approved" | "denied" | "sessions" | "days">

/** The evidence of a suggestion: `7 decisions in 3 sessions over 2 days: all allowed`. */
export function evidenceWords({ approved, denied, sessions, days }: Evidence): string {
  const all = approved + denied
  const over = `${countOf(all, "decision")} in ${countOf(sessions, "session")} over ${countOf(days, "day")}`
  if (denied === 0) return `${over}: ${all === 1 ? "allowed" : "all allowed"}`
  if (approved === 0) return `${over}: ${all === 1 ? "denied" : "all denied"}`
  return `${over}: ${approved} allowed, ${denied} denied`
}

type Benefit = Pick<SuggestionView, "saves" | "also" | "narrows" | "replaces">

/** The gain of accepting it. */
export function benefitWords({ saves, also, narrows, replaces }: Benefit): string {
  if (narrows !== null) return "You denied a call that a rule now allows. This rule asks about such calls again."
  const more = also.length === 0 ? "" : ` It would also have decided ${countOf(also.length, "other call")}.`
  const less = replaces.length === 0 ? "" : ` Replaces ${countOf(replaces.length, "rule")}.`
  return `Would have saved you ${countOf(saves, "question")} in the last seven days.${more}${less}`
}

/** The week in a sentence. */
export function weekWords({ asked, approved, denied, saved }: SuggestionsView["week"]): string {
  const told = `In the last seven days you answered ${countOf(asked, "question")}: ${approved} allowed, ${denied} denied.`
  if (saved === 0) return told
  const which = saved === asked ? (asked === 1 ? "it" : "all of them") : `${saved} of them`
  return `${told} The rules below would have answered ${which}.`
}
