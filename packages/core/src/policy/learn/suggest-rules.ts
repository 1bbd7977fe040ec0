/**
 * Rules that would have answered past questions as people did (R37).
 *
 * I1. A suggested yes covers no call that a person denied, unless the same was allowed later.
 * I2. A suggested yes covers nothing that looks sensitive, unless exactly that was allowed itself.
 * I3. A yes is for the agent whose calls were allowed; for all agents only where several were allowed the same.
 * I4. Only what is still asked about, and may be answered for good, is evidence; answers to many calls at once are none.
 * I5. Every suggestion is tried by the engine on what it rests on, and on what was denied.
 * I6. A suggestion stands for the rules in force that it makes needless, and allows no more than it and they do.
 * I7. The same answers give the same suggestions, in the same order, unless time runs out.
 * I8. Agents choose what calls hold and how many there are: each step is about one call, what is tried for a tool is bounded, and when time runs out, what was
 *     found is told.
 */
import { type EpochMs, type ToolRef, toolKey } from "../../call/call.ts"
import { portableHasher } from "../../call/portable-hasher.ts"
import { filterSteps, flatSteps, someSteps, type WorkSteps } from "../../call/steps.ts"
import { escapeGlob } from "../conditions/glob.ts"
import type { PolicyPorts } from "../decide/compile-policy.ts"
import type { Decision, ToolFacts } from "../decide/decision.ts"
import { groupedBy } from "../decide/map-of-lists.ts"
import type { Remembered } from "../rules/remembered.ts"
import type { Condition, Policy, Rule } from "../rules/rule.ts"
import { ruleKey } from "../rules/rule-key.ts"
import { allowCandidates } from "./allow-candidates.ts"
import { type AnsweredCall, type KeptCall, type Weight, weigh } from "./answered-call.ts"
import { allows, callsOf, denies, type RuleCandidate } from "./covers.ts"
import { denyCandidates } from "./deny-candidates.ts"
import { isDisquieting } from "./disquieting.ts"
import { type FoldedConditions, foldRules } from "./fold-rules.ts"
import { byTime } from "./live-answers.ts"
import type { LocatedCall } from "./located-call.ts"
import { narrowingRules } from "./narrowing-rules.ts"
import { deniedFor, isKindred, mostEvidence, supportFor, type ToolAnswers, toolAnswers } from "./tool-answers.ts"
import { createTrialEngine, type TrialEngine } from "./trial-engine.ts"

export type RuleSuggestion = Weight & {
  /** The same for the same rule. */
  readonly id: string
  readonly rule: Rule
  readonly tool: ToolRef
  /** The agent it is for; null: all of them. */
  readonly agent: string | null
  /** The approvals it rests on. */
  readonly evidence: readonly string[]
  readonly approved: number
  readonly denied: number
  /** Questions of the last seven days that it would have spared. */
  readonly saves: number
  /** Approvals that it would have decided as well, without resting on them. */
  readonly also: readonly string[]
  /** Of the calls that wait now, those that it would decide. */
  readonly waiting: readonly string[]
  /** The rule that lets through what people denied, and that this one takes back in part. */
  readonly narrows?: Rule
  /** Rules in force that it says as well: with it, they can go. */
  readonly replaces: readonly Rule[]
}

export type UnansweredCall = Pick<KeptCall, "id" | "tool" | "principal" | "args">

export type SuggestInput = {
  readonly answered: readonly AnsweredCall[]
  /** Calls that nobody has answered yet. */
  readonly waiting?: readonly UnansweredCall[]
  readonly policy: Policy
  readonly policyPorts?: PolicyPorts
  readonly grants: readonly Remembered[]
  readonly factsOf: (tool: ToolRef) => ToolFacts | undefined
  readonly now: EpochMs
}

/** More would be read by nobody. */
const mostSuggestions = 100
const week = 7 * 24 * 60 * 60_000
/** So many agents are several: a rule may then be for all of them. */
const severalAgents = 3

/** `isCut`: time ran out, and there may be others. */
export type SuggestedRules = { readonly suggestions: readonly RuleSuggestion[]; readonly isCut: boolean }

export function* suggestRules(input: SuggestInput): WorkSteps<SuggestedRules> {
  const engine = createTrialEngine(input)
  const kept = input.answered
    .filter(hasArguments)
    .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
  const tools: ToolAnswers[] = []
  for (const calls of groupedBy(kept, ({ tool }) => toolKey(tool)).values())
    tools.push(yield* toolAnswers(calls, input, engine))
  const judged: RuleSuggestion[] = []
  // Those with few calls are soon done with, and do not wait for those with many.
  for (const answers of tools.toSorted((one, other) => one.all.length - other.all.length)) {
    if (yield) break
    for (const draft of [...(yield* allowDrafts(answers, tools)), ...(yield* denyDrafts(answers, tools))]) {
      if (yield) break
      const suggestion = yield* suggestionOf(draft, input, engine)
      if (suggestion !== null) judged.push(suggestion)
    }
  }
  const isCut = yield
  const narrowing = tools.flatMap((answers) => narrowingOf(answers))
  const known = new Set<string>()
  const suggestions = [...narrowing, ...eachReplacedOnce(judged.toSorted(byUse))]
    .filter(({ id }) => !known.has(id) && known.add(id) !== undefined)
    .slice(0, mostSuggestions)
  return { suggestions, isCut }
}

/** Of suggestions that would replace the same rule, the most useful one does; the others come again once that is accepted. */
function eachReplacedOnce(suggestions: readonly RuleSuggestion[]): readonly RuleSuggestion[] {
  const gone = new Set<Rule>()
  return suggestions.filter(({ replaces }) => {
    if (replaces.some((rule) => gone.has(rule))) return false
    for (const rule of replaces) gone.add(rule)
    return true
  })
}

function byUse(one: RuleSuggestion, other: RuleSuggestion): number {
  return other.saves - one.saves || other.calls - one.calls || (ruleKey(one.rule) < ruleKey(other.rule) ? -1 : 1)
}

function hasArguments(call: AnsweredCall): call is KeptCall {
  return call.args !== null
}

/** A rule for one agent, or for all. */
type Draft = RuleCandidate & {
  readonly answers: ToolAnswers
  readonly effect: "allow" | "deny"
  readonly agent: string | null
}

function* allowDrafts(answers: ToolAnswers, tools: readonly ToolAnswers[]): WorkSteps<readonly Draft[]> {
  const scoped: Draft[] = []
  for (const [agent, { approved }] of answers.live) {
    if (yield) break
    const isAskedNow = (one: LocatedCall) => isAnswerable(answers.now.get(one))
    const recent = approved.filter(isAskedNow).slice(-mostEvidence)
    const usable = yield* filterSteps(
      recent,
      ({ call }) => call.remember !== "never" && !isDisquieting(call, answers.tool),
    )
    if (usable.length === 0) continue
    const evidence = {
      tool: answers.tool,
      approved: usable,
      settled: approved.filter((one) => answers.now.get(one)?.because.kind === "rule").slice(-mostEvidence),
      support: supportFor(agent, answers, tools),
      denied: deniedFor(agent, answers, tools),
    }
    for (const candidate of yield* allowCandidates(evidence))
      scoped.push({ ...candidate, answers, effect: "allow", agent })
  }
  return yield* forSeveral(scoped, answers)
}

/** Asked about by default, and to be answered for good. An ask that a rule demands would outvote an allow. */
function isAnswerable(decision: Decision | undefined): boolean {
  return decision?.effect === "ask" && decision.because.kind === "default" && decision.remember === "allowed"
}

/** Where several agents were allowed the same and nobody was denied it, one rule stands for all of them. */
function forSeveral(scoped: readonly Draft[], answers: ToolAnswers): WorkSteps<readonly Draft[]> {
  const denied = callsOf([...answers.live.values()].flatMap((live) => live.denied))
  return flatSteps(groupedBy(scoped, ({ when }) => JSON.stringify(when)).values(), function* (same) {
    const [first] = same
    if (first === undefined || same.length < severalAgents) return same
    if (yield* someSteps(denied, allows(first.when, answers.tool))) return same
    const [evidence, support] = [same.flatMap((one) => one.evidence), same.flatMap((one) => one.support)]
    return [{ ...first, agent: null, evidence, support }]
  })
}

function* denyDrafts(answers: ToolAnswers, tools: readonly ToolAnswers[]): WorkSteps<readonly Draft[]> {
  const { tool, live, now } = answers
  const approved = callsOf([...live.values()].flatMap((one) => one.approved))
  const denied = [...live.values()]
    .flatMap((one) => one.denied)
    .filter((one) => one.call.answer === "deny" && now.get(one)?.effect === "ask" && one.call.remember !== "never")
    .toSorted(byTime)
    .slice(-mostEvidence)
  if (denied.length === 0) return []
  const support = tools
    .filter((other) => other !== answers && isKindred(other, answers))
    .flatMap((other) => [...other.live.values()].flatMap((one) => one.denied.filter((each) => !other.plain.has(each))))
  const candidates = yield* denyCandidates({ tool, denied, support: support.slice(-mostEvidence), approved })
  return candidates.map((candidate): Draft => {
    const agents = new Set(callsOf([...candidate.evidence, ...candidate.support]).map(({ principal }) => principal))
    const [only = null] = agents
    return { ...candidate, answers, effect: "deny", agent: agents.size === 1 ? only : null }
  })
}

function* suggestionOf(draft: Draft, input: SuggestInput, engine: TrialEngine): WorkSteps<RuleSuggestion | null> {
  const { answers, effect, evidence, support, agent } = draft
  const { now, waiting = [] } = input
  const { when, replaces } = foldedDraft(draft, input.policy)
  const rule = ruleFor(answers.ref, effect, when, agent)
  const decideWith = engine.with(rule)
  const calls = callsOf([...evidence, ...support])
  if (yield* someSteps(evidence, ({ call }) => decideWith(call).effect !== effect)) return null
  const isAbout = ({ call }: LocatedCall) => agent === null || call.principal === agent
  if (effect === "allow" && (yield* allowsDenied(answers, agent, decideWith))) return null
  const isCovered = coversBy(draft)
  const asked = yield* filterSteps(
    answers.all.filter((one) => isAbout(one) && answers.now.get(one)?.effect === "ask"),
    ({ call }) => isCovered(call),
  )
  const waitingHere = waiting.filter(
    ({ tool, principal }) => toolKey(tool) === toolKey(answers.ref) && (agent === null || principal === agent),
  )
  const rests = new Set(evidence)
  return {
    id: suggestionId(rule),
    rule,
    tool: answers.ref,
    agent,
    evidence: [...new Set(calls.map(({ id }) => id))],
    ...weigh(calls),
    approved: effect === "allow" ? calls.length : 0,
    denied: effect === "deny" ? calls.length : 0,
    replaces,
    saves: asked.filter(({ call }) => call.at > now - week).length,
    also: asked.filter((one) => !rests.has(one)).map(({ call }) => call.id),
    waiting: (yield* filterSteps(waitingHere, isCovered)).map(({ id }) => id),
  }
}

function foldedDraft({ answers, effect, when, agent }: Draft, { rules }: Policy): FoldedConditions {
  if (effect !== "allow") return { when, replaces: [] }
  const isText = (name: string) => answers.all.every(({ call }) => typeof call.args[name] === "string")
  return foldRules({ rule: ruleFor(answers.ref, effect, when, agent), rules, tool: answers.tool, isText })
}

function coversBy({ effect, when, answers }: Draft): (call: Pick<KeptCall, "args">) => boolean {
  if (effect === "allow") return allows(when, answers.tool)
  const judge = denies(when, answers.tool)
  return (call) => judge(call) === "yes"
}

function allowsDenied(
  { live }: ToolAnswers,
  agent: string | null,
  decideWith: (call: KeptCall) => Decision,
): WorkSteps<boolean> {
  const denied = [...live].flatMap(([who, own]) => (agent === null || who === agent ? own.denied : []))
  return someSteps(denied, ({ call }) => decideWith(call).effect === "allow")
}

function narrowingOf(answers: ToolAnswers): readonly RuleSuggestion[] {
  return narrowingRules(answers).map(({ when, calls, narrows, agent }) => ({
    id: suggestionId(ruleFor(answers.ref, "ask", when, agent)),
    rule: ruleFor(answers.ref, "ask", when, agent),
    tool: answers.ref,
    agent,
    evidence: calls.map(({ id }) => id),
    ...weigh(calls),
    approved: 0,
    denied: calls.length,
    saves: 0,
    also: [],
    waiting: [],
    replaces: [],
    narrows,
  }))
}

function ruleFor(
  tool: ToolRef,
  effect: "allow" | "deny" | "ask",
  when: readonly Condition[],
  agent: string | null,
): Rule {
  const rule: Rule = {
    id: "suggested",
    effect,
    target: { server: escapeGlob(tool.server), kind: "tool", name: escapeGlob(tool.tool), whole: false },
    ...(agent === null ? {} : { principal: escapeGlob(agent) }),
    origin: { where: "past answers" },
    ...(when.length === 0 ? {} : { when }),
  }
  return { ...rule, id: `suggested-${suggestionId(rule)}` }
}

function suggestionId(rule: Rule): string {
  return portableHasher.sha256(ruleKey(rule)).slice(0, 12)
}
