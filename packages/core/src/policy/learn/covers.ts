import { type ConditionContext, compileConditions } from "../conditions/condition.ts"
import type { ToolFacts } from "../decide/decision.ts"
import { groupedBy } from "../decide/map-of-lists.ts"
import type { Condition } from "../rules/rule.ts"
import { type KeptCall, weigh } from "./answered-call.ts"
import type { LocatedCall } from "./located-call.ts"

/** One tool, and what is known of it. */
export type ToolOf = {
  readonly name: string
  readonly context: ConditionContext
  readonly facts: ToolFacts | undefined
  /** The folders that its server works in. */
  readonly homes: readonly string[]
}

/** The conditions of a rule that is worth suggesting, and the answers it rests on. */
export type RuleCandidate = {
  readonly when: readonly Condition[]
  readonly evidence: readonly LocatedCall[]
  /** Answers to the same agent about the same places with tools that do no more: they count beside evidence of its own. */
  readonly support: readonly LocatedCall[]
}

/** Whether an allow with these conditions lets a call run, as far as conditions and the tool's schema decide. */
export function allows(
  when: readonly Condition[],
  { context, facts }: ToolOf,
): (call: Pick<KeptCall, "args">) => boolean {
  const judge = compileConditions(when, "allow", context)
  const check = facts?.check
  return ({ args }) => judge(args) === "holds" && (check === undefined || check(args).length === 0)
}

/** Whether a deny with these conditions refuses a call, leaves it alone, or makes it ask. */
export function denies(
  when: readonly Condition[],
  { context }: ToolOf,
): (call: Pick<KeptCall, "args">) => "yes" | "no" | "asks" {
  const judge = compileConditions(when, "deny", context)
  return ({ args }) => {
    const judgement = judge(args)
    return judgement === "holds" ? "yes" : judgement === "fails" ? "no" : "asks"
  }
}

/** Whether a tool only reads, and that is more than a label. */
export function isRead({ facts }: ToolOf): boolean {
  return facts?.access === "read" && facts.accessCounts
}

export function callsOf(located: readonly LocatedCall[]): readonly KeptCall[] {
  return located.map(({ call }) => call)
}

/** The calls by a text of theirs, each with as many sessions as asked for at least. */
export function recurring(
  located: readonly LocatedCall[],
  textOf: (one: LocatedCall) => string,
  sessions: number,
): ReadonlyMap<string, readonly LocatedCall[]> {
  const byText = groupedBy(located, textOf)
  return new Map([...byText].filter(([, calls]) => weigh(callsOf(calls)).sessions >= sessions))
}
