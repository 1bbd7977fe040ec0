import type { ObservedView, ProposedRuleView } from "../views/observed-view.ts"

type Remaining = Pick<ObservedView, "wouldAsk" | "stillAsk" | "delicate" | "spared" | "rules">

/** What is left of the observed calls by now, and what the proposed rules would do about that. */
export function remainingWords({ wouldAsk, stillAsk, delicate, spared, rules }: Remaining): string {
  if (stillAsk === 0) return "Rules and permissions now answer all of them."
  const now = stillAsk < wouldAsk ? `Rules and permissions now answer ${wouldAsk - stillAsk} of them. ` : ""
  const odd = delicate === 0 ? "" : `${delicateWords(delicate)} `
  if (rules.length === 0) return `${now}${odd}No narrow rule covers what is left: too few of these calls are alike.`
  const which = rules.length === 1 ? "The rule below" : `The ${rules.length} rules below`
  return `${now}${odd}${which} would have spared ${spared} of ${counted(stillAsk, "question")}.`
}

function delicateWords(count: number): string {
  return count === 1
    ? "1 looks sensitive or destroys something, so no rule is proposed for it."
    : `${count} look sensitive or destroy something, so no rule is proposed for them.`
}

/** `Would have allowed 7 observed calls in 3 sessions over 2 days` */
export function coverWords({ calls, sessions, days }: Pick<ProposedRuleView, "calls" | "sessions" | "days">): string {
  return `Would have allowed ${counted(calls, "observed call")} in ${counted(sessions, "session")} over ${counted(days, "day")}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`
}
