/**
 * Works out once, per target, principal and access, which rules can apply, so that judging a call only evaluates conditions.
 *
 * I1. A plan holds exactly the rules whose target, principal and access match, however the rules are indexed.
 * I2. What is kept is bounded, whatever names agents choose.
 */

import type { ConditionContext } from "../conditions/condition.ts"
import { compileGlob, globProblem, literalOf } from "../conditions/glob.ts"
import { type AccessClass, classesOf } from "../rules/access-class.ts"
import { compilePrincipal } from "../rules/principal-glob.ts"
import type { Mode, Policy, Rule, TargetKind, TargetPattern } from "../rules/rule.ts"
import { compileTarget } from "../rules/target-pattern.ts"
import { basesOf, homesOf } from "../server-folders.ts"
import { boundedCache } from "./bounded-cache.ts"
import type { Target } from "./decision.ts"
import { childMap, pushTo } from "./map-of-lists.ts"
import { createPlanner, type Ordered, type TargetPlan } from "./plan.ts"
import { type SharedDecisions, sharedDecisions } from "./shared-decisions.ts"

export type PolicyPorts = Pick<ConditionContext, "realPaths" | "caseInsensitivePaths">

/** A policy ready to decide by. */
export type CompiledPolicy = {
  readonly policy: Policy
  readonly shared: SharedDecisions
  readonly forbiddenModes: ReadonlySet<Mode>
  readonly planFor: (target: Target, principal: string, access: AccessClass) => TargetPlan
  /** How this policy judges conditions on arguments for a server. */
  readonly contextOf: (server: string) => ConditionContext
  /** Whether a run of this target makes everything in its session ask for a while. */
  readonly startsCoolDown: (target: Target) => boolean
}

/** Plans of one target: a tool's by access; anything else has none and is told apart by kind. */
type Plans = Partial<Record<AccessClass | Exclude<TargetKind, "tool">, TargetPlan>>

/** Throws on a pattern too long to match with, which no loader lets through: a policy without that rule would not be the one meant. */
export function compilePolicy(policy: Policy, ports: PolicyPorts = {}): CompiledPolicy {
  mustMatch(policy)
  const rulesFor = indexRules(policy.rules)
  const contextOf = contextsOf(policy, ports)
  const offers = offersOf(policy)
  const makePlan = createPlanner(policy.wait)
  const cache = boundedCache<Plans>()
  const byPrincipal = policy.rules.some((rule) => rule.principal !== undefined)
  const sensitive = (policy.limits.coolDown?.after ?? []).map(compileTarget)

  function planFor(target: Target, principal: string, access: AccessClass): TargetPlan {
    const who = byPrincipal ? principal : ""
    const slot = target.kind === "tool" ? access : target.kind
    const plans = cache.get(who, target.server, target.name)
    const known = plans?.[slot]
    if (known !== undefined) return known
    const plan = makePlan(target, rulesFor(target, who, target.kind === "tool" ? access : "unknown"), {
      offered: offers(target),
      context: contextOf(target.server),
    })
    if (plans === undefined) cache.put(who, target.server, target.name, { [slot]: plan })
    else plans[slot] = plan
    return plan
  }

  return {
    policy,
    shared: sharedDecisions(policy),
    forbiddenModes: new Set(policy.forbiddenModes),
    planFor,
    contextOf,
    startsCoolDown: (target) => sensitive.some((matches) => matches(target, "ask")),
  }
}

function mustMatch(policy: Policy): void {
  const targets = [...policy.rules, ...policy.classify].map(({ target }) => target)
  const all = [...targets, ...policy.methods, ...(policy.limits.coolDown?.after ?? [])]
  const globs = [
    ...all.flatMap(({ server, name }) => [server, name]),
    ...policy.rules.flatMap(({ principal }) => principal ?? []),
    ...policy.servers.flatMap(({ offer }) => offer ?? []),
  ]
  for (const glob of globs) {
    const problem = globProblem(glob)
    if (problem !== null) throw new RangeError(`${JSON.stringify(glob.slice(0, 40))}… is not a pattern: ${problem}`)
  }
}

type Matcher = Ordered & { readonly applies: (target: Target, principal: string, access: AccessClass) => boolean }

/** Rules by the names they spell out, so that a target is compared only with rules that could be about it. */
function indexRules(rules: readonly Rule[]) {
  const byTool = new Map<string, Map<string, Matcher[]>>()
  const byServer = new Map<string, Matcher[]>()
  const byName = new Map<string, Matcher[]>()
  const others: Matcher[] = []
  rules.forEach((rule, order) => {
    const server = literalOf(rule.target.server)
    const name = indexedName(rule.target)
    const matcher = matcherOf(rule, order)
    if (server !== null && name !== null) pushTo(childMap(byTool, server), name, matcher)
    else if (server !== null) pushTo(byServer, server, matcher)
    else if (name !== null) pushTo(byName, name, matcher)
    else others.push(matcher)
  })
  return (target: Target, principal: string, access: AccessClass): readonly Ordered[] =>
    [
      byTool.get(target.server)?.get(target.name) ?? [],
      byServer.get(target.server) ?? [],
      byName.get(target.name) ?? [],
      others,
    ]
      .flatMap((matchers) => matchers.filter(({ applies }) => applies(target, principal, access)))
      .sort((a, b) => a.order - b.order)
}

/** The one name a rule is about, under which it is found; null where other names may be read as it. */
function indexedName({ whole, kind, name }: TargetPattern): string | null {
  return whole || kind === "resource" || kind === "prompt" ? null : literalOf(name)
}

/** Whether a rule is about a target, conditions aside. */
export function matcherOf(rule: Rule, order: number): Matcher {
  const target = compileTarget(rule.target)
  const principal = rule.principal === undefined ? null : compilePrincipal(rule.principal, rule.effect)
  const classes = classesOf(rule.effect, rule.access)
  return {
    rule,
    order,
    applies: (asked, who, access) =>
      classes.includes(access) && (principal === null || principal(who)) && target(asked, rule.effect),
  }
}

/** The same object for the same server, so that what is compiled by it can be kept by it. */
function contextsOf(policy: Policy, ports: PolicyPorts): (server: string) => ConditionContext {
  const known = new Map<string, ConditionContext>()
  for (const server of policy.servers) {
    const bases = basesOf(server)
    const { folders, isRemote } = server
    const homes = homesOf(server)
    if (bases !== null && homes !== null) known.set(server.id, { ...ports, bases, folders: homes })
    else if (folders !== undefined) known.set(server.id, { ...ports, folders })
    else if (isRemote === true) known.set(server.id, { ...ports, isRemote })
  }
  return (server) => known.get(server) ?? ports
}

/** Whether what is asked for is offered at all: a tool by its server's `offer`, a method beyond MCP's own by its name in `methods`. */
function offersOf(policy: Policy): (target: Target) => boolean {
  const offers = new Map(policy.servers.map((server) => [server.id, server.offer?.map(compileGlob)]))
  const methods = policy.methods.map(compileTarget)
  return (target) => {
    if (target.kind === "method") return methods.some((names) => names({ ...target, kind: "tool" }, "allow"))
    const offer = target.kind === "tool" ? offers.get(target.server) : undefined
    return offer === undefined || offer.some((matches) => matches(target.name))
  }
}
