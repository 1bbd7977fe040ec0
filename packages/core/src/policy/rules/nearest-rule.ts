import { compileGlob } from "../conditions/glob.ts"
import { matcherOf } from "../decide/compile-policy.ts"
import type { Question, Target } from "../decide/decision.ts"
import { accessClassOf } from "./access-class.ts"
import { compilePrincipal } from "./principal-glob.ts"
import type { Rule } from "./rule.ts"
import { compileTarget } from "./target-pattern.ts"

/** A rule that is not about the question, and what keeps it from being so. */
export type NearMiss = { readonly rule: Rule; readonly why: string }

/** The rule that misses by least: by agent or access, then by the tool's name, then by the server. Null when none is close. */
export function nearestRule(rules: readonly Rule[], question: Question): NearMiss | null {
  const misses = rules.flatMap((rule, order) => {
    const miss = missOf(rule, order, question)
    return miss === null ? [] : [{ rule, ...miss }]
  })
  const [nearest] = misses.toSorted((a, b) => a.distance - b.distance)
  return nearest === undefined ? null : { rule: nearest.rule, why: nearest.why }
}

type Miss = { readonly distance: number; readonly why: string }

function missOf(rule: Rule, order: number, question: Question): Miss | null {
  const { target, principal, tool } = question
  const access = target.kind === "tool" ? accessClassOf(tool) : "unknown"
  if (matcherOf(rule, order).applies(target, principal.id, access)) return null
  if (compileTarget(rule.target)(target, rule.effect)) {
    if (rule.principal !== undefined && !compilePrincipal(rule.principal, rule.effect)(principal.id)) {
      return { distance: 1, why: "it covers other agents" }
    }
    return { distance: 0, why: accessMiss(question) }
  }
  if (rule.target.kind !== target.kind) return null
  return nameMiss(rule, target)
}

function accessMiss({ tool }: Question): string {
  if (tool === undefined) return "it depends on access, and nothing is known about this tool"
  if (tool.accessCounts) return `it depends on access, and this tool ${tool.access}s`
  return `it depends on access, and it is not confirmed that this tool ${tool.access}s`
}

/** Less alike than this, two names have nothing to do with each other. */
const leastAlike = 0.4

function nameMiss(rule: Rule, target: Target): Miss | null {
  const sameServer = compileGlob(rule.target.server)(target.server)
  const sameName = compileGlob(rule.target.name)(target.name)
  if (!sameServer) return sameName ? { distance: 4, why: "it covers another server" } : null
  const likeness = alike(rule.target.name, target.name)
  return likeness < leastAlike ? null : { distance: 3 - likeness, why: "it covers other tools" }
}

/** How many of their pairs of neighbouring letters two names share, from 0 to 1. */
function alike(a: string, b: string): number {
  const pairs = letterPairs(a)
  const others = letterPairs(b)
  const shared = [...pairs].filter((pair) => others.has(pair)).length
  return (2 * shared) / Math.max(1, pairs.size + others.size)
}

const longestCompared = 64

function letterPairs(name: string): ReadonlySet<string> {
  const letters = name
    .slice(0, longestCompared)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
  return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)))
}
