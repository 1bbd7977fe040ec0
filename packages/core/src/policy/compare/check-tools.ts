/**
 * A policy before the tools that servers list now, and the calls that were made: which tools nobody has decided on, which reads may give
 * away credentials, and which rules allow more than anybody uses. None of it makes a policy wrong.
 *
 * I1. A tool is told of as leaking only if the policy lets a call with a sensitive argument run.
 */
import type { ToolRef } from "../../call/call.ts"
import type { ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { asObject } from "../../call/json/members.ts"
import { shownName } from "../../call/text/quoted.ts"
import { type CompiledPolicy, compilePolicy, matcherOf, type PolicyPorts } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import type { Decision, ToolFacts } from "../decide/decision.ts"
import { idleUsage } from "../decide/exceeded-limit.ts"
import { indexGrants } from "../decide/index-grants.ts"
import { pushTo } from "../decide/map-of-lists.ts"
import { ruleText } from "../decide/sentences.ts"
import { namesPath } from "../risks/argument-kind.ts"
import { isSensitiveName } from "../risks/sensitive-name.ts"
import { accessClassOf } from "../rules/access-class.ts"
import type { Policy, Rule } from "../rules/rule.ts"
import { toolFacts } from "../rules/tool-facts.ts"
import type { PolicyProblem } from "./lint-policy.ts"

export type CatalogueTool = { readonly tool: ToolRef; readonly definition: ToolDefinition | null }

/** The tools that were called within some days. */
export type ToolUse = { readonly days: number; readonly calls: readonly ToolRef[] }

export type CheckToolsInput = {
  readonly policy: Policy
  readonly policyPorts?: PolicyPorts
  readonly tools: readonly CatalogueTool[]
  /** Null: nobody knows. */
  readonly use: ToolUse | null
}

export type ToolProblem = Omit<PolicyProblem, "code"> & {
  readonly code: "undecided-tools" | "may-leak" | "wider-than-use" | "never-used"
}

export function checkTools(input: CheckToolsInput): readonly ToolProblem[] {
  const { policy, policyPorts, tools, use } = input
  const compiled = compilePolicy(policy, policyPorts)
  const known = tools.map((listed): Known => ({ ...listed, facts: factsOf(listed, policy) }))
  return [
    ...undecided(compiled, known),
    ...known.flatMap((each) => leak(compiled, each)),
    ...(use === null ? [] : policy.rules.flatMap((rule) => widerThanUse(rule, known, use))),
  ]
}

type Known = CatalogueTool & { readonly facts: ToolFacts }

function factsOf({ tool, definition }: CatalogueTool, policy: Policy): ToolFacts {
  const server = policy.servers.find(({ id }) => id === tool.server)
  // Whether it was accepted is another question.
  return toolFacts({ tool, definition, server, classify: policy.classify, pin: "accepted", fingerprint: "" })
}

function decisionOn(compiled: CompiledPolicy, { tool, facts }: Known, args: JsonObject): Decision {
  return decide(compiled, indexGrants([]), {
    target: { server: tool.server, kind: "tool", name: tool.tool },
    args,
    tool: facts,
    principal: { id: "any" },
    session: { principal: "any", id: "any", named: false },
    state: { mode: "ask", usage: idleUsage },
    now: 0,
  })
}

/** Tools that no rule is about, by server. */
function undecided(compiled: CompiledPolicy, tools: readonly Known[]): readonly ToolProblem[] {
  const { rules, default: byDefault } = compiled.policy
  const isDecided = ({ tool, facts }: Known): boolean => {
    const target = { server: tool.server, kind: "tool", name: tool.tool } as const
    // A restriction on what looks sensitive is about all tools and decides on none.
    const matches = (rule: Rule, at: number) =>
      !isForSecrets(rule) && matcherOf(rule, at).applies(target, "any", accessClassOf(facts))
    return decisionOn(compiled, { tool, facts, definition: null }, {}).effect === "hide" || rules.some(matches)
  }
  const byServer = new Map<string, Known[]>()
  for (const each of tools) if (!isDecided(each)) pushTo(byServer, each.tool.server, each)
  return [...byServer].map(([server, found]) => ({
    code: "undecided-tools",
    sentence: `No rule decides on ${listed(found.map(({ tool }) => tool.tool))} of ${shownName(server)}, so the default applies: ${byDefault}. Write rules for them, or use a template.`,
    rule: null,
    origin: null,
  }))
}

function isForSecrets(rule: Rule): boolean {
  return rule.effect !== "hide" && (rule.when ?? []).some(({ op }) => op === "sensitive")
}

const mostNamed = 8

function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, mostNamed)
    .map((name) => shownName(name))
    .join(", ")
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown
}

/** A read that runs for a file of secrets, or whose very name says that it gives some away. */
function leak(compiled: CompiledPolicy, known: Known): readonly ToolProblem[] {
  const { tool, facts } = known
  const name = `${shownName(tool.server)}(${shownName(tool.tool)})`
  if (facts.access === "read" && isSensitiveName(tool.tool) && decisionOn(compiled, known, {}).effect === "allow") {
    return [leakProblem(`${name} runs without approval, and its name says that it may give away credentials.`)]
  }
  const args = sensitiveArguments(known)
  if (facts.access !== "read" || args === null) return []
  const { effect, because } = decisionOn(compiled, known, args)
  if (effect !== "allow") return []
  const by = because.kind === "rule" ? because.rule : null
  const advice = 'Add `- ask: "*(*)"` with `when: { "*": { sensitive: true } }`, or use a template.'
  return [leakProblem(`${name} runs without approval for a file such as .env. ${advice}`, by)]
}

function leakProblem(sentence: string, rule: Rule | null = null): ToolProblem {
  return { code: "may-leak", sentence, rule, origin: rule?.origin ?? null }
}

/** Arguments that name a file of secrets; null if the tool takes no path. */
function sensitiveArguments({ definition }: Known): JsonObject | null {
  const properties = asObject(asObject(definition?.inputSchema)?.properties) ?? {}
  const paths = Object.entries(properties).filter(([name]) => namesPath(name))
  if (paths.length === 0) return null
  return Object.fromEntries(paths.map(([name, schema]) => [name, placeOfSecrets(schema)]))
}

function placeOfSecrets(schema: JsonValue): JsonValue {
  return asObject(schema)?.type === "array" ? [".env"] : ".env"
}

/** So many calls say something about what is used. */
const fewestCalls = 20

function widerThanUse(rule: Rule, tools: readonly Known[], { days, calls }: ToolUse): readonly ToolProblem[] {
  const isBuiltIn = rule.origin.template !== undefined && rule.origin.line === undefined
  if (rule.effect !== "allow" || rule.target.kind !== "tool" || isBuiltIn) return []
  const matcher = matcherOf(rule, 0)
  const covered = tools.filter(({ tool, facts }) =>
    matcher.applies({ server: tool.server, kind: "tool", name: tool.tool }, "any", accessClassOf(facts)),
  )
  const servers = new Set(covered.map(({ tool }) => tool.server))
  const ofServers = calls.filter(({ server }) => servers.has(server))
  if (covered.length === 0 || ofServers.length < fewestCalls) return []
  const used = covered.filter(({ tool }) => ofServers.some((call) => isSame(call, tool)))
  if (used.length === covered.length) return []
  const about = { rule, origin: rule.origin }
  if (used.length === 0) {
    const sentence = `Nothing that the rule ${ruleText(rule)} allows was called in ${days} days. Remove it if nobody needs it.`
    return [{ code: "never-used", sentence, ...about }]
  }
  const names = listed(used.map(({ tool }) => tool.tool))
  const sentence = `The rule ${ruleText(rule)} allows ${covered.length} tools; in ${days} days only ${used.length} ${used.length === 1 ? "was" : "were"} called: ${names}. Name those instead.`
  return [{ code: "wider-than-use", sentence, ...about }]
}

function isSame(one: ToolRef, other: ToolRef): boolean {
  return one.server === other.server && one.tool === other.tool
}
