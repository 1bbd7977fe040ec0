/**
 * Rules of another program, put into the file in force.
 *
 * I1. Unless told otherwise, no call is answered more weakly than by what was read, nor more weakly than the file in force answers what it
 *     restricts: where they contradict each other, the stricter one decides.
 * I2. Every contradiction is listed, with what became of it.
 */
import { type Effect, literalOf, type Policy, type Rule, ruleText } from "@byleave/core"
import { globCovers, globsDisjoint } from "@byleave/core/compare"
import type { ConfigEdit } from "../../text/edit-config.ts"
import { writtenRule } from "../../text/written-rule.ts"
import type { ImportedRules, OfferList } from "../language.ts"
import { stricterOf, strictness } from "../strictness.ts"
import { forEveryAccess, mergeClassify, mergeLimits } from "./merge-settings.ts"

/** A contradiction between what was read, a rule or a setting, and what is in force. */
export type RuleConflict = { readonly imported: string; readonly current: string; readonly outcome: string }

export type Preference = "stricter" | "imported" | "current"

export type MergedRules = { readonly edits: readonly ConfigEdit[]; readonly conflicts: readonly RuleConflict[] }

/** The edits of `byleave.yaml` that put imported rules into it. */
export function mergeRules(current: Policy, imported: ImportedRules, prefer: Preference): MergedRules {
  const asks = imported.asks.filter((server) => isAllowedByRule(current, server)).map(askRule)
  const limits = mergeLimits(current.limits, imported.limits, prefer)
  const classify = mergeClassify(current, imported, prefer)
  const rules = imported.rules.map((rule) => forEveryAccess(rule, classify.freed))
  const fresh = [...rules, ...asks].filter((rule) => !current.rules.some((other) => isSame(other, rule)))
  const pairs = fresh.flatMap((rule) =>
    current.rules.filter((other) => contradict(rule, other)).map((other) => ({ rule, other })),
  )
  const dropped = new Set(prefer === "current" ? pairs.map(({ rule }) => rule) : [])
  // A rule in force that is about more than the imported one stays: to take it away would let more run than was read.
  // One of a template is not in this file, so it stays as well.
  const isReplaced = ({ rule, other }: Pair) => isCovered(other, rule) && other.origin.template === undefined
  const replaced = prefer === "imported" ? pairs.filter(isReplaced) : []
  const removed = new Set(replaced.map(({ other }) => other))
  return {
    edits: [
      ...[...current.rules.keys()]
        .filter((at) => removed.has(current.rules[at] as Rule))
        .toReversed()
        .map(removal),
      ...additions(fresh.filter((rule) => !dropped.has(rule))),
      ...defaultEdits(current, imported, prefer),
      ...classify.edits,
      ...limits.edits,
      ...imported.offers.map((offer): ConfigEdit => offerEdit(current, offer)),
    ],
    conflicts: [
      ...pairs.map((pair) => ({
        imported: ruleText(pair.rule),
        current: ruleText(pair.other),
        outcome: outcomeOf(pair, dropped, removed),
      })),
      ...classify.conflicts,
      ...limits.conflicts,
    ],
  }
}

type Pair = { readonly rule: Rule; readonly other: Rule }

function outcomeOf({ rule, other }: Pair, dropped: ReadonlySet<Rule>, removed: ReadonlySet<Rule>): string {
  if (dropped.has(rule)) return "the rule in force stays, and the imported one is left out"
  if (removed.has(other)) return "the imported rule replaces the one in force"
  return `both stay; the stricter one decides: ${stricterOf<Effect>(rule.effect, other.effect)}`
}

function additions(rules: readonly Rule[]): readonly ConfigEdit[] {
  const written = rules.flatMap((rule) => writtenRule(rule) ?? [])
  return written.length === 0 ? [] : [{ kind: "add-rules", rules: written }]
}

function removal(index: number): ConfigEdit {
  return { kind: "remove-rule", index }
}

/** Two rules about some of the same tools that answer differently. */
function contradict(one: Rule, other: Rule): boolean {
  if (answerRank(one) === answerRank(other) || one.target.kind !== other.target.kind) return false
  return !globsDisjoint(one.target.server, other.target.server) && !globsDisjoint(one.target.name, other.target.name)
}

/** Hidden or denied, a call does not run. */
function answerRank({ effect }: Rule): number {
  return Math.min(strictness[effect], strictness.deny)
}

function isCovered(narrow: Rule, wide: Rule): boolean {
  return globCovers(wide.target.server, narrow.target.server) && globCovers(wide.target.name, narrow.target.name)
}

function isSame(one: Rule, other: Rule): boolean {
  return JSON.stringify(writtenRule(one)) === JSON.stringify(writtenRule(other))
}

/** The imported rules ask about everything of this server that they do not name, and a rule in force lets some of it run. */
function isAllowedByRule(current: Policy, server: string): boolean {
  return current.rules.some(
    ({ effect, target }) => effect === "allow" && target.kind === "tool" && !globsDisjoint(target.server, server),
  )
}

function askRule(server: string): Rule {
  const target = { server, kind: "tool", name: "*", whole: false } as const
  return { effect: "ask", id: server, target, origin: { where: "import" } }
}

function defaultEdits(current: Policy, imported: ImportedRules, prefer: Preference): readonly ConfigEdit[] {
  const read = imported.default ?? (imported.asks.length > 0 ? "ask" : undefined)
  if (read === undefined || read === current.default || prefer === "current") return []
  const isStricter = strictness[read] > strictness[current.default]
  return isStricter || prefer === "imported" ? [{ kind: "set-default", default: read }] : []
}

/** Of two lists of what a server offers, the part that both have. */
function offerEdit(current: Policy, { server, tools }: OfferList): ConfigEdit {
  const before = current.servers.find(({ id }) => id === server)?.offer
  const both = before === undefined ? tools : tools.filter((tool) => before.some((glob) => globCovers(glob, tool)))
  return { kind: "set-offer", server, offer: both }
}

/** The servers whose names a policy knows. */
export function namedServers({ servers, rules }: Policy): readonly string[] {
  const literal = rules.flatMap(({ target }) => literalOf(target.server) ?? [])
  return [...new Set([...servers.map(({ id }) => id), ...literal])].filter((id) => id !== "byleave")
}
