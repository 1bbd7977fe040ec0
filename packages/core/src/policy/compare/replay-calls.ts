/**
 * Recorded calls judged again by another policy: exactly which decisions would differ, and of how many calls nobody can say.
 *
 * Each call is asked of the policy in force and of the other one with the same circumstances, so that whatever differs is due to the
 * policy alone. Limits, which count what ran before, are left out; a call that a limit or a definition decided, or that was recorded
 * otherwise than the very same policy decides it now, was judged by something that is gone, and is skipped rather than guessed. So is one whose paths
 * were not all followed. Agents choose how many calls there are and what is in them: others have their turn after each few milliseconds.
 */
import type { EpochMs } from "../../call/call.ts"
import { inTurns, type LoopTurns } from "../../call/in-turns.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { CompiledPolicy } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import type { Because, Decision, Question, Target, ToolFacts } from "../decide/decision.ts"
import { idleUsage } from "../decide/exceeded-limit.ts"
import { type GrantIndex, indexGrants } from "../decide/index-grants.ts"
import { reasonOf } from "../decide/sentences.ts"
import { accessClassOf } from "../rules/access-class.ts"
import type { Remembered } from "../rules/remembered.ts"
import type { Effect, Mode } from "../rules/rule.ts"

export type RecordedCall = {
  readonly id: string
  readonly at: EpochMs
  readonly target: Target
  /** Null: no longer kept. */
  readonly args: JsonObject | null
  /** Some of the arguments were secret, and are not those of the call. */
  readonly isMasked: boolean
  readonly principal: string
  readonly session: string
  readonly mode: Mode
  readonly effect: Effect
  readonly because: Because["kind"]
  readonly grant: string | null
  /** The version of the policy that judged it. */
  readonly policy: string
  /** Of the tool's definition; empty when none was known. */
  readonly fingerprint: string
  /** Refused for another reason than policy: too many waited, or people had said no too often. */
  readonly refusedOtherwise: boolean
}

export type DifferentCall = {
  readonly call: RecordedCall
  readonly before: Effect
  readonly after: Effect
  readonly why: string
}

export type Replay = {
  readonly looked: number
  readonly skipped: number
  readonly different: readonly DifferentCall[]
}

/** A policy, and what is known of tools under it. */
export type ReplaySide = {
  readonly policy: CompiledPolicy
  readonly factsOf: (target: Target) => ToolFacts | undefined
}

export type ReplayInput = {
  readonly calls: readonly RecordedCall[]
  /** The policy in force, and the other one. */
  readonly before: ReplaySide
  readonly after: ReplaySide
  /** The grants that exist now; each counts from its creation on. */
  readonly grants: ReadonlyArray<Remembered & { readonly createdAt: EpochMs }>
  /** Whether a path was left out since this was asked last; absent: all are followed. */
  readonly wasCut?: () => boolean
  readonly turns: LoopTurns
  /** Once nobody wants the answer any more, everything is skipped; absent: somebody does. */
  readonly isEnded?: () => boolean
}

export async function replayCalls(input: ReplayInput): Promise<Replay> {
  const { calls, turns, isEnded = () => false } = input
  const compare = comparer(input)
  const compared = await inTurns(
    calls,
    async (call) => compare(call),
    turns,
    () => !isEnded(),
    1,
  )
  if (compared === null) return { looked: calls.length, skipped: calls.length, different: [] }
  return {
    looked: calls.length,
    skipped: compared.filter((one) => one === "skipped").length,
    different: compared.filter((one) => typeof one !== "string"),
  }
}

type Compared = DifferentCall | "same" | "skipped"

function comparer({ before, after, grants, wasCut = () => false }: ReplayInput): (call: RecordedCall) => Compared {
  const grantsAt = grantsByTime(grants)
  const standing = new Set(grants.map(({ id }) => id))
  const hasConditions = grants.some(({ breadth }) => "when" in breadth)
  return (call) => {
    const isKnown =
      isRebuildable(call, before, standing) &&
      !(call.isMasked && (hasConditions || dependsOnArguments(call, before) || dependsOnArguments(call, after)))
    if (!isKnown) return "skipped"
    const was = judge(call, before, grantsAt(call.at))
    const isOtherwise = call.policy === before.policy.policy.version && was.effect !== call.effect
    if (wasCut() || isOtherwise) return "skipped"
    const now = judge(call, after, grantsAt(call.at))
    if (wasCut()) return "skipped"
    if (now.effect === was.effect) return "same"
    return { call, before: was.effect, after: now.effect, why: reasonOf(now, call.target) }
  }
}

function isRebuildable(call: RecordedCall, before: ReplaySide, standing: ReadonlySet<string>): boolean {
  if (call.args === null || call.refusedOtherwise) return false
  if (call.because === "limit" || call.because === "pin") return false
  if (call.grant !== null && !standing.has(call.grant)) return false
  return isSameDefinition(call, before)
}

/** Whether the tool is still defined as it was when it was called. */
function isSameDefinition(call: RecordedCall, { factsOf }: ReplaySide): boolean {
  if (call.target.kind !== "tool") return true
  const facts = factsOf(call.target)
  return facts?.pin === "unpinned" || (facts?.fingerprint ?? "") === call.fingerprint
}

function dependsOnArguments({ target, principal }: RecordedCall, { policy, factsOf }: ReplaySide): boolean {
  return policy.planFor(target, principal, accessClassOf(toolOf(target, factsOf))).groups.length > 0
}

function judge(call: RecordedCall, { policy, factsOf }: ReplaySide, grants: GrantIndex): Decision {
  const { target, principal, session, mode } = call
  const question: Question = {
    target,
    args: call.args ?? undefined,
    tool: toolOf(target, factsOf),
    principal: { id: principal },
    session: { principal, id: session, named: true },
    state: { mode, usage: idleUsage },
    now: call.at,
  }
  return decide(policy, grants, question)
}

function toolOf(target: Target, factsOf: ReplaySide["factsOf"]): ToolFacts | undefined {
  return target.kind === "tool" ? factsOf(target) : undefined
}

/** The grants that had been made by a time; indexed once for each number of them. */
function grantsByTime(grants: ReplayInput["grants"]): (at: EpochMs) => GrantIndex {
  const inOrder = grants.toSorted((one, other) => one.createdAt - other.createdAt)
  const known = new Map<number, GrantIndex>()
  return (at) => {
    const count = inOrder.filter(({ createdAt }) => createdAt <= at).length
    const found = known.get(count) ?? indexGrants(inOrder.slice(0, count))
    known.set(count, found)
    return found
  }
}
