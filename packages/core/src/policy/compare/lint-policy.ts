/**
 * The oddities of a policy, for the person who wrote it. None of them makes a policy wrong.
 *
 * I1. A rule reported as never deciding is never the reason of a decision.
 */
import { quoted, shownName } from "../../call/text/quoted.ts"
import { compileGlob, globsDisjoint, literalOf } from "../conditions/glob.ts"
import { originText, ruleText } from "../decide/sentences.ts"
import { goesByAgentAlone } from "../rules/principal-glob.ts"
import type { ClassifyRule, Policy, Rule, RuleOrigin, TargetPattern } from "../rules/rule.ts"
import { shadowedRules } from "../rules/shadowed-rules.ts"
import { formatTargetPattern } from "../rules/target-pattern.ts"
import { fallsToDefault } from "./compare-policies.ts"

export type PolicyProblem = {
  readonly code:
    | "duplicate"
    | "never-decides"
    | "not-offered"
    | "pointless"
    | "any-token"
    | "unknown-server"
    | "matches-no-tool"
    | "offers-no-tool"
  readonly sentence: string
  /** The rule it is about; null for what stands elsewhere. */
  readonly rule: Rule | null
  readonly origin: RuleOrigin | null
}

/** The tools servers list now. */
export type Catalogue = ReadonlyArray<{ readonly server: string; readonly tools: readonly string[] }>

export function lintPolicy(policy: Policy, catalogue?: Catalogue): readonly PolicyProblem[] {
  const problems = [
    ...neverDeciding(policy),
    ...pointlessAllows(policy),
    ...policy.rules.filter(goesByAgentAlone).map(anyToken),
    ...policy.rules.flatMap((rule) => unknownNames(rule.target, policy, catalogue, ruleText(rule), rule)),
    ...policy.classify.flatMap((rule) => unknownNames(rule.target, policy, catalogue, classifyText(rule), rule)),
    ...(catalogue === undefined ? [] : emptyOffers(policy, catalogue)),
  ]
  return problems.filter(({ origin }) => !isBuiltIn(origin))
}

/** A program gives its agents whatever names it likes. */
function anyToken(rule: Rule): PolicyProblem {
  const sentence = `The rule ${ruleText(rule)} goes by the agent's name alone, which every program with a gate token can choose. Name the token before the colon.`
  return problem("any-token", sentence, rule)
}

/** A template that comes with Byleave also names tools that this server may not have; nobody here can change it. */
function isBuiltIn(origin: RuleOrigin | null): boolean {
  return origin?.template !== undefined && origin.line === undefined
}

function neverDeciding(policy: Policy): readonly PolicyProblem[] {
  const shadowed = shadowedRules(policy.rules)
  const reported = new Set(shadowed.map(({ rule }) => rule))
  return [
    ...shadowed.map(({ rule, by, duplicate }) => {
      const other = `${ruleText(by)} (${originText(by)})`
      return duplicate
        ? problem(
            "duplicate",
            `The rule ${ruleText(rule)} is written twice; the other is at ${originText(by)}. Remove one.`,
            rule,
          )
        : problem("never-decides", `The rule ${ruleText(rule)} never applies: ${other} always comes first.`, rule)
    }),
    ...policy.rules.filter((rule) => !reported.has(rule)).flatMap((rule) => notOffered(rule, policy)),
  ]
}

/** A rule about tools its server is configured not to offer: they are hidden before it is asked. */
function notOffered(rule: Rule, policy: Policy): readonly PolicyProblem[] {
  const { target } = rule
  if (rule.effect === "hide" || target.kind !== "tool" || (target.whole && rule.effect === "deny")) return []
  const offer = policy.servers.find(({ id }) => id === literalOf(target.server))?.offer
  if (offer === undefined || offer.some((glob) => !globsDisjoint(glob, target.whole ? "*" : target.name))) return []
  const sentence = `The rule ${ruleText(rule)} never applies: ${shownName(target.server)} offers only ${listed(offer)}. Add what you need to its offer.`
  return [problem("not-offered", sentence, rule)]
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.map((name) => shownName(name)).join(", ")
}

function pointlessAllows(policy: Policy): readonly PolicyProblem[] {
  return policy.rules
    .filter(({ effect, target }) => effect === "allow" && (!fallsToDefault(target) || policy.default === "allow"))
    .map((rule) => {
      const why = fallsToDefault(rule.target) ? "the default is allow" : "what is not a tool passes without a rule"
      return problem("pointless", `The rule ${ruleText(rule)} changes nothing: ${why}.`, rule)
    })
}

function unknownNames(
  target: TargetPattern,
  policy: Policy,
  catalogue: Catalogue | undefined,
  text: string,
  rule: Rule | ClassifyRule,
): readonly PolicyProblem[] {
  const servers = new Set([...policy.servers.map(({ id }) => id), ...(catalogue ?? []).map(({ server }) => server)])
  const isServer = compileGlob(target.server)
  if (servers.size > 0 && ![...servers].some(isServer)) {
    return [
      problem(
        "unknown-server",
        `The rule ${text} is about a server that is not configured. Known: ${listed([...servers])}.`,
        rule,
      ),
    ]
  }
  const listing = (catalogue ?? []).filter(({ server }) => isServer(server))
  // A server that is not listed may be down; then nobody can tell which tools it has.
  const allListed = [...servers].filter(isServer).every((id) => listing.some(({ server }) => server === id))
  if (target.kind !== "tool" || listing.length === 0 || !allListed) return []
  const isTool = compileGlob(target.whole ? "*" : target.name)
  if (listing.some(({ tools }) => tools.some(isTool))) return []
  return [
    problem(
      "matches-no-tool",
      `The rule ${text} matches no tool that ${listed(listing.map(({ server }) => server))} lists. Check the name.`,
      rule,
    ),
  ]
}

function classifyText({ access, target }: ClassifyRule): string {
  return `${access}: ${quoted(formatTargetPattern(target), Number.POSITIVE_INFINITY)}`
}

function emptyOffers(policy: Policy, catalogue: Catalogue): readonly PolicyProblem[] {
  return policy.servers.flatMap(({ id, offer = [] }) => {
    const tools = catalogue.find(({ server }) => server === id)?.tools
    if (tools === undefined) return []
    return offer
      .filter((glob) => !tools.some(compileGlob(glob)))
      .map((glob) =>
        problem(
          "offers-no-tool",
          `${shownName(id)} is to offer ${shownName(glob)}, and lists no such tool. Check the name.`,
          null,
        ),
      )
  })
}

function problem(code: PolicyProblem["code"], sentence: string, about: Rule | ClassifyRule | null): PolicyProblem {
  const rule = about !== null && "effect" in about ? about : null
  return { code, sentence, rule, origin: about?.origin ?? null }
}
