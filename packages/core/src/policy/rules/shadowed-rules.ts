import { literalOf } from "../conditions/glob.ts"
import { childMap, pushTo } from "../decide/map-of-lists.ts"
import { isUnconditional } from "../decide/plan.ts"
import type { Rule } from "./rule.ts"
import { ruleCovers } from "./rule-covers.ts"
import { ruleKey } from "./rule-key.ts"

/** A rule that can never be what decides, and the one that always comes before it. */
export type Shadowed = { readonly rule: Rule; readonly by: Rule; readonly duplicate: boolean }

/** Sound, not complete: what is reported never decides anything; something that never does may go unreported. */
export function shadowedRules(rules: readonly Rule[]): readonly Shadowed[] {
  const firstLike = new Map<string, Rule>()
  const candidates = coverCandidates(rules)
  return rules.flatMap((rule, order): readonly Shadowed[] => {
    const key = ruleKey(rule)
    const twin = firstLike.get(key)
    if (twin !== undefined) return [{ rule, by: twin, duplicate: true }]
    firstLike.set(key, rule)
    const by = candidates(rule).find((other) => comesBefore(other, { rule, order }) && ruleCovers(other.rule, rule))
    return by === undefined ? [] : [{ rule, by: by.rule, duplicate: false }]
  })
}

type Placed = { readonly rule: Rule; readonly order: number }

/** Whether the other, where both are about a question, always keeps this one from deciding. */
function comesBefore(other: Placed, { rule, order }: Placed): boolean {
  if (other.rule === rule || !isUnconditional(other.rule)) return false
  if (rank[other.rule.effect] !== rank[rule.effect]) return rank[other.rule.effect] < rank[rule.effect]
  // Of two asks both count: their demands are combined. Of others, what needs no arguments is looked at first, then the place.
  if (rule.effect === "ask") return false
  return !isUnconditional(rule) || other.order < order
}

const rank = { hide: 0, deny: 1, ask: 2, allow: 3 } as const satisfies Record<Rule["effect"], number>

/** The rules without conditions that could cover a rule, by what they name literally: server and tool, the server, or neither. */
function coverCandidates(rules: readonly Rule[]): (rule: Rule) => readonly Placed[] {
  const byTool = new Map<string, Map<string, Placed[]>>()
  const byServer = new Map<string, Placed[]>()
  const wide: Placed[] = []
  rules.forEach((rule, order) => {
    if (!isUnconditional(rule)) return
    const { server, name } = literals(rule)
    if (server === null) wide.push({ rule, order })
    else if (name === null) pushTo(byServer, server, { rule, order })
    else pushTo(childMap(byTool, server), name, { rule, order })
  })
  return (rule) => {
    const { server, name } = literals(rule)
    const sameServer = server === null ? [] : (byServer.get(server) ?? [])
    const sameTool = server === null || name === null ? [] : (byTool.get(server)?.get(name) ?? [])
    return [...sameTool, ...sameServer, ...wide]
  }
}

function literals({ target }: Rule): { readonly server: string | null; readonly name: string | null } {
  return { server: literalOf(target.server), name: target.whole ? null : literalOf(target.name) }
}
