import type { Rule } from "./rule.ts"

export type AskRule = Extract<Rule, { readonly effect: "ask" }>

/** The requirements for answering an ask. */
export type AskNeeds = {
  readonly approvals: number
  readonly reviewers: readonly string[]
  readonly wait: number | null
}

/**
 * Whether no remembered answer may stand in for the person: it says so, or it wants more than one reviewer or certain
 * ones, and a grant is one reviewer's word.
 */
export function asksEveryTime(rule: AskRule): boolean {
  return rule.remember === "never" || (rule.approvals ?? 1) > 1 || (rule.reviewers ?? []).length > 0
}

/**
 * The combined requirements of several ask rules, so that none of them is loosened and their order does not matter: the most approvals,
 * the shortest wait, and reviewers from the groups that every rule naming groups names. Where rules share no group, the answer is one
 * group that stands for all of them, `(a or b) and (c)`: better unanswerable than answered by the wrong person.
 */
export function combineNeeds(rules: readonly AskRule[], policyWait: number | null): AskNeeds {
  const waits = rules.map((rule) => (rule.wait === undefined ? policyWait : rule.wait))
  return {
    approvals: rules.reduce((most, rule) => Math.max(most, rule.approvals ?? 1), 1),
    reviewers: inEvery(rules.map((rule) => rule.reviewers ?? []).filter((groups) => groups.length > 0)),
    wait: rules.length === 0 ? policyWait : waits.reduce(shorter, null),
  }
}

function shorter(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}

function inEvery(lists: ReadonlyArray<readonly string[]>): readonly string[] {
  const [first, ...others] = lists
  if (first === undefined) return []
  const shared = first.filter((group) => others.every((list) => list.includes(group)))
  if (shared.length > 0) return sorted(shared)
  return [sorted(lists.map((list) => `(${sorted(list).join(" or ")})`)).join(" and ")]
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}
