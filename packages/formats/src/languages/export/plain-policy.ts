/**
 * A policy as languages can say it that know servers, tools and effects, and nothing else.
 *
 * I1. No call gets a weaker answer from the plain policy than from the policy.
 * I2. What the plain policy does not say exactly is in its losses.
 */
import {
  compileGlob,
  type Effect,
  formatTargetPattern,
  literalOf,
  type Policy,
  type Rule,
  ruleText,
} from "@byleave/core"
import { globCovers } from "@byleave/core/compare"
import { writtenName } from "../joined-names.ts"
import type { KnownTools, RuleLoss } from "../language.ts"
import { strictness } from "../strictness.ts"

/** A rule of one server; `tool` is a glob. */
export type PlainRule = { readonly effect: Effect; readonly tool: string }

/** One server: the strictest of its matching rules decides, and `fallback` where none matches. */
export type PlainServer = {
  readonly id: string
  /** Tools whose names are known, in order. */
  readonly known: readonly string[]
  readonly rules: readonly PlainRule[]
  readonly fallback: Policy["default"]
  readonly offer?: readonly string[]
}

export type PlainPolicy = {
  readonly servers: readonly PlainServer[]
  readonly fallback: Policy["default"]
  readonly losses: readonly RuleLoss[]
}

const ownServer = "byleave"

export function plainPolicy(policy: Policy, known: KnownTools): PlainPolicy {
  const about = policy.rules.filter(({ target }) => target.kind === "tool" && literalOf(target.server) !== ownServer)
  const ids = [
    ...policy.servers.map(({ id }) => id),
    ...known.keys(),
    ...about.flatMap(({ target }) => literalOf(target.server) ?? writtenName(target.server) ?? []),
  ]
  const servers = [...new Set(ids)].filter((id) => id !== ownServer && id !== "").sort()
  return {
    servers: servers.map((id) => plainServer(id, about, policy, known.get(id) ?? [])),
    fallback: policy.default,
    losses: [...policy.rules.flatMap((rule) => lossesOf(rule, servers, policy.default)), ...settingLosses(policy)],
  }
}

function plainServer(id: string, rules: readonly Rule[], policy: Policy, listed: readonly string[]): PlainServer {
  const own = rules.filter(({ target }) => compileGlob(target.server)(id))
  const plain = own.filter((rule) => rule.effect !== "allow" || isPlain(rule))
  const { offer } = policy.servers.find((server) => server.id === id) ?? {}
  const named = [...own.map(({ target }) => target.name), ...(offer ?? [])].flatMap(
    (name) => literalOf(name) ?? writtenName(name) ?? [],
  )
  const known = [...new Set([...listed, ...named])].filter((name) => name !== "").sort()
  const unique = new Map(
    plain.map((rule) => {
      const effect = effectForEveryCall(rule, policy.default)
      return [`${effect} ${rule.target.name}`, { effect, tool: rule.target.name }]
    }),
  )
  return { id, known, rules: [...unique.values()], fallback: policy.default, ...(offer === undefined ? {} : { offer }) }
}

/** Whether a rule says nothing but server, tool and effect. */
function isPlain(rule: Rule): boolean {
  const conditions = rule.effect === "hide" ? [] : (rule.when ?? [])
  return conditions.length === 0 && (rule.access ?? "all") === "all" && (rule.principal ?? "*") === "*"
}

/** Where the default denies, an ask with conditions denies whatever they do not fit. */
function effectForEveryCall(rule: Rule, fallback: Policy["default"]): Effect {
  return rule.effect === "ask" && fallback === "deny" && !isPlain(rule) ? "deny" : rule.effect
}

/** The strictest answer that a call of this tool may get. */
export function effectOn(server: PlainServer, tool: string): Effect {
  if (server.offer?.some((glob) => compileGlob(glob)(tool)) === false) return "hide"
  const matching = server.rules.filter((rule) => compileGlob(rule.tool)(tool)).map(({ effect }) => effect)
  return strictestOf(matching) ?? server.fallback
}

/** The answer about tools whose names are not known. Where rules tell them apart by patterns, it asks rather than lets any of them run. */
export function effectOnRest(server: PlainServer): Effect {
  if (server.offer !== undefined && !server.offer.some((glob) => globCovers(glob, "*"))) return "hide"
  const patterns = server.rules.filter(({ tool }) => literalOf(tool) === null)
  const aboutAll = patterns.filter(({ tool }) => globCovers(tool, "*")).map(({ effect }) => effect)
  const restricted = strictestOf(aboutAll.filter((effect) => effect !== "allow"))
  if (restricted !== undefined) return restricted
  const base = aboutAll.includes("allow") ? "allow" : server.fallback
  return base === "allow" && patterns.some(({ effect }) => effect !== "allow") ? "ask" : base
}

function strictestOf(effects: readonly Effect[]): Effect | undefined {
  return effects.toSorted((a, b) => strictness[b] - strictness[a])[0]
}

function lossesOf(rule: Rule, servers: readonly string[], fallback: Policy["default"]): readonly RuleLoss[] {
  const loss = (kind: RuleLoss["kind"], why: string, became: string): RuleLoss => ({
    ...{ kind, path: rule.id, written: ruleText(rule), why, became },
    ...(rule.origin.line === undefined ? {} : { line: rule.origin.line }),
    ...(rule.origin.column === undefined ? {} : { column: rule.origin.column }),
  })
  if (literalOf(rule.target.server) === ownServer) return [loss("dropped", "it is about Byleave itself", "nothing")]
  if (rule.target.kind !== "tool") return [loss("dropped", "this language names tools alone", "nothing")]
  const found: RuleLoss[] = []
  if (!isPlain(rule)) {
    const why = "this language has no words for its conditions, access or principal"
    if (rule.effect === "allow") found.push(loss("stricter", why, "nothing, so that the default applies"))
    else found.push(loss("stricter", why, `${effectForEveryCall(rule, fallback)} for every call`))
  }
  if (literalOf(rule.target.server) === null) {
    const names = servers.filter((id) => compileGlob(rule.target.server)(id))
    const why = "this language names servers one by one, so that it holds for those that are known alone"
    found.push(loss(rule.effect === "allow" ? "stricter" : "weaker", why, names.join(", ") || "nothing"))
  }
  if (rule.effect === "ask" && (rule.approvals ?? 1) + (rule.reviewers?.length ?? 0) > 1) {
    found.push(loss("weaker", "who must approve, and how many, is known to Byleave alone", "ask the program's user"))
  } else if (rule.effect === "ask" && (rule.remember === "never" || rule.wait !== undefined)) {
    found.push(loss("weaker", "this language does not say what may be remembered, or how long a call waits", "ask"))
  }
  return found
}

/** Settings that only Byleave keeps to. */
function settingLosses({ limits, classify }: Policy): readonly RuleLoss[] {
  const { autoAllowedPerSession, autoAllowedPerDay, autoAllowedPerMinute, coolDown, bulk } = limits
  const given = { autoAllowedPerSession, autoAllowedPerDay, autoAllowedPerMinute, coolDown, bulk }
  const counted = Object.entries(given).filter(([, value]) => value !== undefined)
  const because = "only Byleave counts calls; what runs without approval there is not limited"
  return [
    ...counted.map(([name]): RuleLoss => {
      return { kind: "weaker", path: `limits.${name}`, written: name, why: because, became: "nothing" }
    }),
    ...classify.map(({ access, target }, at): RuleLoss => {
      const written = `${access}: ${formatTargetPattern(target)}`
      const why = "this language does not tell tools that read from tools that write"
      return { kind: "dropped", path: `policy.classify[${at}]`, written, why, became: "nothing" }
    }),
  ]
}
