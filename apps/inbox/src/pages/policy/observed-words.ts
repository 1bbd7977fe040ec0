import type { ObservedView, ProposedRuleView } from "@byleave/api"
import { countOf } from "@byleave/ui"

/** What observing found, in a sentence. */
export function observedWords({ wouldAsk, isCut }: Pick<ObservedView, "wouldAsk" | "isCut">): string {
  const calls = `${countOf(wouldAsk, "call")} ran in observe mode that would have needed approval.`
  return `In the last seven days ${isCut ? "at least " : ""}${calls}`
}

/** What is left of it by now, and what rules would do about that. */
export function remainingWords(
  report: Pick<ObservedView, "wouldAsk" | "stillAsk" | "delicate" | "spared" | "rules">,
): string {
  const { wouldAsk, stillAsk, delicate, spared, rules } = report
  if (stillAsk === 0) return "Your rules and permissions now answer all of them."
  const now = stillAsk < wouldAsk ? `Your rules and permissions now answer ${wouldAsk - stillAsk} of them. ` : ""
  const odd =
    delicate === 0
      ? ""
      : `${delicate} ${delicate === 1 ? "looks sensitive or destroys" : "look sensitive or destroy"} something, so no rule is proposed for ${delicate === 1 ? "it" : "them"}. `
  if (rules.length === 0) return `${now}${odd}No narrow rule covers what is left: too few of these calls are alike.`
  const which = rules.length === 1 ? "The rule below" : `The ${rules.length} rules below`
  return `${now}${odd}${which} would have spared ${spared} of ${countOf(stillAsk, "question")}.`
}

/** `Would have allowed 7 observed calls in 3 sessions over 2 days` */
export function coverWords({ calls, sessions, days }: Pick<ProposedRuleView, "calls" | "sessions" | "days">): string {
  return `Would have allowed ${countOf(calls, "observed call")} in ${countOf(sessions, "session")} over ${countOf(days, "day")}`
}
