/**
 * The report at the end of `observe`: which calls would have needed approval, and the fewest rules that would have halved them.
 *
 * I1. Nobody answered an observed call, so it is evidence of what an agent does and of nobody's yes: rules are proposed, never said to be allowed.
 * I2. A proposed rule covers nothing that looks sensitive, destroys something or was denied by a person, whether it was observed or not.
 * I3. No smaller set of the rules that could be proposed spares half; where all of them spare less, they are all there.
 * I4. The same calls give the same report, in whatever order they come, unless time runs out.
 * I5. Agents choose what calls hold and how many there are: each step is about one call.
 */
import { type EpochMs, sessionKey, type ToolRef, toolKey } from "../../call/call.ts"
import { filterSteps, type WorkSteps } from "../../call/steps.ts"
import { groupedBy } from "../decide/map-of-lists.ts"
import { guard } from "../rules/kept-as-given.ts"
import type { Rule } from "../rules/rule.ts"
import { ruleKey } from "../rules/rule-key.ts"
import { type AnsweredCall, type KeptCall, type Weight, weigh } from "./answered-call.ts"
import { allows } from "./covers.ts"
import { isDisquieting } from "./disquieting.ts"
import { type SuggestInput, suggestRules } from "./suggest-rules.ts"
import { knownTool } from "./tool-answers.ts"
import { createTrialEngine } from "./trial-engine.ts"

/** A call that ran in `observe` and would have asked. */
export type ObservedCall = Pick<AnsweredCall, "id" | "at" | "tool" | "principal" | "session" | "args">

/** A rule to consider: so many observed calls would not have asked with it. */
export type ProposedRule = Weight & {
  /** The same for the same rule. */
  readonly id: string
  readonly rule: Rule
  readonly tool: ToolRef
  /** The agent it is for; null: all of them. */
  readonly agent: string | null
  /** The observed calls that it would allow, oldest first. */
  readonly covers: readonly string[]
  /** Rules in force that it says as well: with it, they can go. */
  readonly replaces: readonly Rule[]
}

export type ObservedReport = {
  readonly wouldAsk: number
  /** Those that the policy in force would still ask about. */
  readonly stillAsk: number
  /** Of those, what looks sensitive or destroys something: no rule is proposed for it. */
  readonly delicate: number
  /** Of those, what the proposed rules would have spared together. */
  readonly spared: number
  readonly rules: readonly ProposedRule[]
  /** Time ran out: other rules might spare more. */
  readonly areRulesCut: boolean
  /** Most calls first. */
  readonly tools: ReadonlyArray<{ readonly tool: ToolRef; readonly calls: number }>
  readonly agents: ReadonlyArray<{ readonly agent: string; readonly calls: number }>
  /** By the beginning of the day in UTC, the first day first. */
  readonly days: ReadonlyArray<{ readonly day: EpochMs; readonly calls: number }>
  /** The last one first. */
  readonly sessions: ReadonlyArray<ObservedSession>
}

export type ObservedSession = {
  readonly principal: string
  readonly id: string
  readonly calls: number
  readonly lastAt: EpochMs
}

export type ObservedInput = Omit<SuggestInput, "answered" | "waiting"> & {
  readonly observed: readonly ObservedCall[]
  /** What people said of other calls; only their denials count here. */
  readonly answered: readonly AnsweredCall[]
}

type Asked = ObservedCall & { readonly args: KeptCall["args"] }

export function* reportObserved(input: ObservedInput): WorkSteps<ObservedReport> {
  const observed = input.observed.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
  const engine = createTrialEngine(input)
  // Without its arguments, nobody knows how a call would be decided now.
  const still = yield* filterSteps(
    observed,
    (call) => call.args === null || engine.decide(asAnswer(call as Asked)).effect === "ask",
  )
  const delicateOf = delicacy(input, engine)
  const known = still.filter((call): call is Asked => call.args !== null)
  const plain = yield* filterSteps(known, (call) => !delicateOf(call))
  const { proposed, isCut } = yield* proposals(plain, input)
  const rules = yield* fewest(proposed, still.length / 2)
  return {
    wouldAsk: observed.length,
    stillAsk: still.length,
    delicate: known.length - plain.length,
    spared: new Set(rules.flatMap(({ covers }) => covers)).size,
    rules,
    areRulesCut: isCut,
    ...(yield* countsOf(observed)),
  }
}

/**
 * An observed call in the words of an answer, for the machinery that finds rules. Each counts as a session of its own: the mode is set for one session, so others
 * are rarely there to compare with, and what many sessions would prove is the habit of a person.
 */
function asAnswer(call: Asked): KeptCall {
  return { ...call, session: call.id, answer: "approve", remember: "allowed", alone: true }
}

type TrialEngine = ReturnType<typeof createTrialEngine>

function delicacy(input: ObservedInput, engine: TrialEngine): (call: Asked) => boolean {
  const judges = new Map<string, (call: Asked) => boolean>()
  return (call) => {
    const judge = judges.get(toolKey(call.tool)) ?? judgeOf(call.tool)
    judges.set(toolKey(call.tool), judge)
    return judge(call)
  }

  function judgeOf(ref: ToolRef): (call: Asked) => boolean {
    const tool = knownTool(ref, input, engine)
    const isPlain = allows([guard], { ...tool, facts: undefined })
    return (call) => !isPlain(call) || isDisquieting(call, tool)
  }
}

type Proposals = { readonly proposed: readonly ProposedRule[]; readonly isCut: boolean }

function* proposals(plain: readonly Asked[], { answered, ...rest }: ObservedInput): WorkSteps<Proposals> {
  const byId = new Map(plain.map((call) => [call.id, call]))
  const denied = answered.filter(({ answer, id }) => answer !== "approve" && !byId.has(id))
  const { suggestions, isCut } = yield* suggestRules({ ...rest, answered: [...plain.map(asAnswer), ...denied] })
  const proposed = suggestions.flatMap(
    ({ id, rule, tool, agent, evidence, also, replaces }): readonly ProposedRule[] => {
      if (rule.effect !== "allow") return []
      // Calls of kindred tools are evidence that it does not cover.
      const calls = [...new Set([...evidence, ...also])].flatMap((one) => {
        const call = byId.get(one)
        return call !== undefined && toolKey(call.tool) === toolKey(tool) ? [call] : []
      })
      const inOrder = calls.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
      return [{ id, rule, tool, agent, ...weighObserved(inOrder), covers: inOrder.map((call) => call.id), replaces }]
    },
  )
  return { proposed, isCut }
}

function weighObserved(calls: readonly Asked[]): Weight {
  return weigh(calls.map((call) => ({ ...asAnswer(call), session: call.session })))
}

/** Those that spare most, until half is spared. They are about different calls, so that none could stand for two of them. */
function* fewest(proposed: readonly ProposedRule[], half: number): WorkSteps<readonly ProposedRule[]> {
  const chosen: ProposedRule[] = []
  const spared = new Set<string>()
  let left = proposed
  while (spared.size < half && left.length > 0) {
    yield
    const weighed = left.map((one) => ({ one, adds: one.covers.filter((id) => !spared.has(id)).length }))
    const [best] = weighed.toSorted((a, b) => b.adds - a.adds || (ruleKey(a.one.rule) < ruleKey(b.one.rule) ? -1 : 1))
    if (best === undefined || best.adds === 0) break
    chosen.push(best.one)
    for (const id of best.one.covers) spared.add(id)
    left = left.filter((one) => one !== best.one)
  }
  return chosen
}

const day = 24 * 60 * 60_000

type Counts = Pick<ObservedReport, "tools" | "agents" | "days" | "sessions">

function* countsOf(observed: readonly ObservedCall[]): WorkSteps<Counts> {
  const most = <Item extends { readonly calls: number }>(items: readonly Item[]) =>
    items.toSorted((one, other) => other.calls - one.calls)
  const tools = counted(observed, ({ tool }) => toolKey(tool)).map(([{ tool }, calls]) => ({ tool, calls }))
  yield
  const agents = counted(observed, ({ principal }) => principal).map(([one, calls]) => ({
    agent: one.principal,
    calls,
  }))
  yield
  const days = counted(observed, ({ at }) => String(Math.floor(at / day))).map(([{ at }, calls]) => ({
    day: Math.floor(at / day) * day,
    calls,
  }))
  yield
  const sessions = [
    ...groupedBy(observed, ({ principal, session }) => sessionKey({ principal, id: session })).values(),
  ].flatMap((calls) => sessionOf(calls))
  return {
    tools: most(tools),
    agents: most(agents),
    days,
    sessions: sessions.toSorted((one, other) => other.lastAt - one.lastAt),
  }
}

/** The first call of each kind, with how many there are. */
function counted(
  calls: readonly ObservedCall[],
  keyOf: (call: ObservedCall) => string,
): ReadonlyArray<readonly [ObservedCall, number]> {
  return [...groupedBy(calls, keyOf).values()].flatMap((same) =>
    same[0] === undefined ? [] : [[same[0], same.length] as const],
  )
}

function sessionOf(calls: readonly ObservedCall[]): readonly ObservedSession[] {
  const last = calls.at(-1)
  return last === undefined
    ? []
    : [{ principal: last.principal, id: last.session, calls: calls.length, lastAt: last.at }]
}
