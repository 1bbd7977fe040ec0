/**
 * Rules that would have answered past questions as people did (R37).
 *
 * Only what people answered alike each time is suggested, for the agent they answered, and only while it is still asked about. A yes is
 * as narrow as what the calls have in common; there is none for what looks destructive, for what policy wants asked every time, nor,
 * beyond reading, for calls that have nothing in common. Each rule is tried on its evidence before it is suggested.
 */
import { type EpochMs, sessionKey, type ToolRef, toolKey } from "../../call/call.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { escapeGlob } from "../conditions/glob.ts"
import { type CompiledPolicy, compilePolicy, type PolicyPorts } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import type { ToolFacts } from "../decide/decision.ts"
import { idleUsage } from "../decide/exceeded-limit.ts"
import { type GrantIndex, indexGrants } from "../decide/index-grants.ts"
import { pushTo } from "../decide/map-of-lists.ts"
import { namesProgram } from "../risks/argument-kind.ts"
import type { RiskKind } from "../risks/risk.ts"
import { risksOf } from "../risks/risks.ts"
import type { Remembered } from "../rules/remembered.ts"
import type { Condition, Policy, Rule } from "../rules/rule.ts"
import { sharedConditions } from "../rules/shared-conditions.ts"

/** A held call that a person answered. */
export type AnsweredCall = {
  /** Of the approval. */
  readonly id: string
  readonly tool: ToolRef
  readonly principal: string
  readonly session: string
  /** Null: no longer kept. */
  readonly args: JsonObject | null
  /** `edited`: allowed with other arguments, which is neither. */
  readonly answer: "approve" | "deny" | "edited"
  readonly remember: "allowed" | "never"
}

export type RuleSuggestion = {
  readonly rule: Rule
  /** The approvals it rests on. */
  readonly evidence: readonly string[]
  readonly approved: number
  readonly denied: number
}

export type SuggestInput = {
  readonly answered: readonly AnsweredCall[]
  readonly policy: Policy
  readonly policyPorts?: PolicyPorts
  readonly grants: readonly Remembered[]
  readonly factsOf: (tool: ToolRef) => ToolFacts | undefined
  readonly now: EpochMs
}

/** So many answers, all alike, are a habit. */
const fewest = 3

export function suggestRules(input: SuggestInput): readonly RuleSuggestion[] {
  const groups = new Map<string, AnsweredCall[]>()
  for (const call of input.answered) pushTo(groups, groupOf(call), call)
  const judge = judgeOf(input)
  const suggestions = [...groups.values()].flatMap((group) => suggestionFor(group, input, judge) ?? [])
  return suggestions
    .toSorted((one, other) => other.evidence.length - one.evidence.length)
    .map(({ rule, ...rest }, at) => ({ rule: { ...rule, id: `suggested[${at}]` }, ...rest }))
}

/** One agent's calls of one tool. */
function groupOf({ tool, principal }: AnsweredCall): string {
  return sessionKey({ principal, id: toolKey(tool) })
}

type Kept = AnsweredCall & { readonly args: JsonObject }
type Judge = (call: Kept, extra: Rule | null) => string

function suggestionFor(group: readonly AnsweredCall[], input: SuggestInput, judge: Judge): RuleSuggestion | null {
  const [first] = group
  if (first === undefined || first.answer === "edited") return null
  if (group.some(({ answer, remember }) => answer !== first.answer || remember === "never")) return null
  const calls = group.filter(hasArguments).filter((call) => judge(call, null) === "ask")
  if (calls.length < fewest) return null
  const effect = first.answer === "approve" ? "allow" : "deny"
  const when = effect === "allow" ? allowable(calls, input) : sharedConditions(calls.map(({ args }) => args)).when
  if (when === null) return null
  const rule = ruleFor(first, effect, when)
  if (!calls.every((call) => judge(call, rule) === effect)) return null
  const count = calls.length
  const counts = effect === "allow" ? { approved: count, denied: 0 } : { approved: 0, denied: count }
  return { rule, evidence: calls.map(({ id }) => id), ...counts }
}

function hasArguments(call: AnsweredCall): call is Kept {
  return call.args !== null
}

const disquieting: ReadonlySet<RiskKind> = new Set([
  "destructive-verb",
  "shell-metacharacters",
  "hidden-characters",
  "lookalike-name",
  "secret-like",
])

/** The conditions that the allowed calls share; null if no honest rule follows from them. */
function allowable(calls: readonly Kept[], { factsOf }: SuggestInput): readonly Condition[] | null {
  const [first] = calls
  if (first === undefined) return null
  const facts = factsOf(first.tool)
  const definition = facts?.definition ?? null
  const isRisky = calls.some(({ tool, args }) =>
    risksOf({ tool, args, definition }).some(({ kind }) => disquieting.has(kind)),
  )
  if (isRisky) return null
  const { when, loose } = sharedConditions(calls.map(({ args }) => args))
  const reads = facts?.access === "read" && facts.accessCounts
  if (reads) return loose.some(namesProgram) ? null : when
  return when.length > 0 && loose.length === 0 ? when : null
}

function ruleFor({ tool, principal }: AnsweredCall, effect: "allow" | "deny", when: readonly Condition[]): Rule {
  return {
    id: "suggested",
    effect,
    target: { server: escapeGlob(tool.server), kind: "tool", name: escapeGlob(tool.tool), whole: false },
    principal: escapeGlob(principal),
    origin: { where: "past answers" },
    ...(when.length === 0 ? {} : { when }),
  }
}

/** Builds the judge that decides a call as it would be decided now with one more rule. */
function judgeOf({ policy, policyPorts, grants, factsOf, now }: SuggestInput): Judge {
  const index: GrantIndex = indexGrants(grants)
  const known = new WeakMap<Rule, CompiledPolicy>()
  const asItIs = compilePolicy(policy, policyPorts)
  const withRule = (rule: Rule): CompiledPolicy => {
    const found = known.get(rule) ?? compilePolicy({ ...policy, rules: [...policy.rules, rule] }, policyPorts)
    known.set(rule, found)
    return found
  }
  return ({ tool, args, principal, session }, extra) =>
    decide(extra === null ? asItIs : withRule(extra), index, {
      target: { server: tool.server, kind: "tool", name: tool.tool },
      args,
      tool: factsOf(tool),
      principal: { id: principal },
      session: { principal, id: session, named: true },
      state: { mode: "ask", usage: idleUsage },
      now,
    }).effect
}
