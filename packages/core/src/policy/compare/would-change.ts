import { assertNever } from "../../call/assert-never.ts"
import { quoted, shownName } from "../../call/text/quoted.ts"
import { escapeGlob } from "../conditions/glob.ts"
import type { Because, Decision, Question } from "../decide/decision.ts"
import { originText, ruleText, targetText } from "../decide/sentences.ts"
import type { Effect, Rule } from "../rules/rule.ts"
import { formatTargetPattern } from "../rules/target-pattern.ts"

/** The steps a person could take to get another answer, most fitting first. */
export function whatWouldChange(decision: Decision, question: Question): readonly string[] {
  return changesOf(decision.effect, decision.because, decision.remember, question)
}

function changesOf(
  effect: Effect,
  because: Because,
  remember: Decision["remember"],
  question: Question,
): readonly string[] {
  const target = targetText(question.target)
  switch (because.kind) {
    case "rule":
      return [...changesOfRule(because.rule, remember, question), `Remove or narrow ${ruleAt(because.rule)}.`]
    case "unjudged":
      return [`Give arguments that let ${ruleAt(because.rule)} be evaluated.`, "Or narrow that rule."]
    case "grant":
      return ["Revoke the permission."]
    case "offer":
      return [`Add ${shownName(escapeGlob(question.target.name))} to what ${shownName(because.server)} offers.`]
    case "unknown-method":
      return [`Name it under \`methods\` in the policy; it is then decided like anything else.`]
    case "default":
      return effect === "ask"
        ? [
            `To let it run, add the rule ${draft("allow", question)}.`,
            alwaysAnswer,
            `To refuse it, add the rule ${draft("deny", question)}.`,
          ]
        : [`Add the rule ${draft(effect === "deny" ? "allow" : "ask", question)}.`]
    case "pin":
      return because.pin === "quarantined"
        ? [`Lift the quarantine of ${target}, or of its server.`]
        : [`Accept the definition of ${target} as it is now.`]
    case "limit":
      return ["Wait, or raise the limit."]
    case "mode":
      return [
        `Take the session out of the mode ${because.mode}.`,
        ...changesOf("ask", because.instead, remember, question),
      ]
    case "passes":
    case "starts-cool-down":
      return [`To require approval, add the rule ${draft("ask", question)}.`]
    case "requested":
      return ["Start the run without asking for approval of this tool."]
    default:
      return assertNever(because)
  }
}

const alwaysAnswer = "Or allow or deny it for this session, or always."

function changesOfRule(rule: Rule, remember: Decision["remember"], question: Question): readonly string[] {
  if (rule.effect === "allow") return [`To require approval, add the rule ${draft("ask", question)}.`]
  return rule.effect === "ask" && remember === "allowed" ? ["Allow or deny it for this session, or always."] : []
}

function ruleAt(rule: Rule): string {
  return `the rule ${ruleText(rule)} (${originText(rule)})`
}

function draft(effect: Effect, { target }: Question): string {
  const { server, kind, name } = target
  const named = kind === "tool" || kind === "resource" || kind === "prompt" || kind === "method"
  const pattern = { server: escapeGlob(server), kind, name: named ? escapeGlob(name) : "*", whole: false }
  return `${effect}: ${quoted(formatTargetPattern(pattern), Number.POSITIVE_INFINITY)}`
}
