import { keySegments } from "../conditions/argument-key.ts"
import { groupedBy } from "../decide/map-of-lists.ts"
import { choiceCondition } from "../rules/kept-as-given.ts"
import type { Condition, Rule } from "../rules/rule.ts"
import { ruleKey } from "../rules/rule-key.ts"
import type { KeptCall } from "./answered-call.ts"
import { callsOf } from "./covers.ts"
import type { LocatedCall } from "./located-call.ts"
import type { ToolAnswers } from "./tool-answers.ts"

/** Calls that people denied last and that a rule lets run now, with conditions that take just these back. */
export type NarrowingRule = {
  readonly when: readonly Condition[]
  readonly calls: readonly KeptCall[]
  readonly narrows: Rule
  readonly agent: string | null
}

export function narrowingRules({ live, now }: ToolAnswers): readonly NarrowingRule[] {
  const denied = [...live.values()].flatMap((one) => one.denied.filter(({ call }) => call.answer === "deny"))
  const contradicted = denied.flatMap((one) => {
    const decision = now.get(one)
    if (decision?.effect !== "allow" || decision.because.kind !== "rule") return []
    return [{ one, rule: decision.because.rule }]
  })
  return [...groupedBy(contradicted, ({ rule }) => ruleKey(rule)).values()].flatMap((same) => {
    const narrows = same[0]?.rule
    if (narrows === undefined) return []
    const calls = callsOf(same.map(({ one }) => one))
    const agents = new Set(calls.map(({ principal }) => principal))
    const [agent = null] = agents
    return [{ when: whereDenied(same.map(({ one }) => one)), calls, narrows, agent: agents.size === 1 ? agent : null }]
  })
}

/** The places that were denied; without places, all of the tool asks again. */
function whereDenied(denied: readonly LocatedCall[]): readonly Condition[] {
  const location = denied[0]?.location
  if (location === undefined || !("key" in location)) return []
  if (denied.some((one) => !("key" in one.location) || one.location.key !== location.key)) return []
  const name = keySegments(location.key)[0] ?? ""
  if (location.kind === "host") {
    const hosts = denied.map((one) => (one.location.kind === "host" ? one.location.host : ""))
    return [{ key: location.key, op: "host", patterns: [...new Set(hosts)].sort() }]
  }
  const texts = new Set(callsOf(denied).flatMap(({ args }) => args[name] ?? []))
  const values = [...texts].filter((value) => typeof value === "string").sort()
  return values.length === 0 ? [] : [choiceCondition(location.key, values)]
}
