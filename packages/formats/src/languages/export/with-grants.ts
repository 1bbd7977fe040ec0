/**
 * A policy in which saved permissions are rules, for languages that know rules alone.
 *
 * I1. No call gets a weaker answer than the policy and the permissions give it together.
 * I2. A permission that is not carried exactly is in the losses.
 */
import { escapeGlob, type Policy, type Remembered, type Rule, ruleText, scopeOf } from "@byleave/core"
import { globCovers } from "@byleave/core/compare"
import type { RuleLoss } from "../language.ts"

export function withGrants(
  policy: Policy,
  grants: readonly Remembered[],
): { readonly policy: Policy; readonly losses: readonly RuleLoss[] } {
  const losses: RuleLoss[] = []
  const rules: Rule[] = []
  const lose = (grant: Remembered, why: string, became: string): void => {
    const written = rulesOf(grant).map(ruleText).join(", ")
    losses.push({ kind: "stricter", path: `grant:${grant.id}`, written, why, became })
  }
  for (const grant of grants) {
    // A new run is a new session.
    if (scopeOf(grant).session !== undefined) continue
    const limit = limitOf(grant)
    if (limit === null) rules.push(...rulesOf(grant))
    else if (grant.effect === "deny") {
      rules.push(...rulesOf(grant))
      lose(grant, limit, "deny, without that limit")
    } else lose(grant, limit, "nothing, so that the rules apply")
  }
  const allows = rules.filter(({ effect }) => effect === "allow")
  const kept = policy.rules.filter((rule) => !allows.some((allow) => answers(allow, rule)))
  for (const allow of allows) {
    if (!kept.some((rule) => rule.effect === "ask" && overlaps(allow, rule))) continue
    const why = "a rule that asks covers more than this permission, has conditions, or is asked every time"
    losses.push({ kind: "stricter", path: allow.id, written: ruleText(allow), why, became: "ask" })
  }
  return { policy: { ...policy, rules: [...kept, ...rules] }, losses }
}

/** The part of a policy that other programs do not keep to; null where there is none. */
function limitOf(grant: Remembered): string | null {
  const { until, usesLeft, breadth } = grant
  if (scopeOf(grant).agent !== undefined) return "it is for one agent alone"
  if (until !== undefined || usesLeft !== undefined) return "it ends by itself"
  if (breadth.kind === "reads") return "it is for tools that only read, as long as they do"
  if (breadth.kind === "server" && breadth.access !== "all") return "it is for one kind of access"
  return null
}

function rulesOf({ id, effect, breadth }: Remembered): readonly Rule[] {
  const server = breadth.kind === "pattern" && effect === "deny" ? breadth.server : escapeGlob(breadth.server)
  const names = breadth.kind === "reads" ? breadth.tools.map(escapeGlob) : [nameOf(breadth)]
  const when = "when" in breadth && breadth.when !== undefined ? { when: breadth.when } : {}
  const base = { id: `grant:${id}`, effect, origin: { where: "permissions" }, ...when }
  return names.map((name) => ({ ...base, target: { server, kind: "tool", name, whole: false } }))
}

function nameOf(breadth: Exclude<Remembered["breadth"], { readonly kind: "reads" }>): string {
  if (breadth.kind === "server") return "*"
  return breadth.kind === "tool" ? escapeGlob(breadth.tool) : breadth.tool
}

/** Whether a permission answers all that a rule asks, so that the rule decides nothing any more. No permission answers an ask whose conditions cannot be judged. */
function answers(allow: Rule, rule: Rule): boolean {
  if (rule.effect !== "ask" || rule.target.kind !== "tool" || allow.effect !== "allow") return false
  if (allow.when !== undefined || (rule.when ?? []).length > 0) return false
  if (rule.remember === "never" || (rule.approvals ?? 1) > 1 || (rule.reviewers ?? []).length > 0) return false
  const name = rule.target.whole ? "*" : rule.target.name
  return globCovers(allow.target.server, rule.target.server) && globCovers(allow.target.name, name)
}

function overlaps({ target }: Rule, rule: Rule): boolean {
  const name = rule.target.whole ? "*" : rule.target.name
  return (
    rule.target.kind === "tool" &&
    (globCovers(rule.target.server, target.server) || globCovers(target.server, rule.target.server)) &&
    (globCovers(name, target.name) || globCovers(target.name, name))
  )
}
