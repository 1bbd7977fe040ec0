import type { JsonObject } from "../call/json.ts"
import type { Judgement } from "./judgement.ts"
import type { Condition } from "./rule.ts"

/** Something with conditions, ready to be judged. */
export type Conditional = {
  readonly when: readonly Condition[]
  readonly judge: (args: JsonObject) => Judgement
}

/** Rules of which an argument's value picks those that can hold; undefined arguments rule out nothing. */
export type CandidateGroup<T> = (args: JsonObject | undefined) => readonly T[]

/** Rules with conditions, in groups that are quick to look up. */
export function groupCandidates<T extends Conditional>(rules: readonly T[]): ReadonlyArray<CandidateGroup<T>> {
  return rules.length === 0 ? [] : [() => rules]
}

/** A condition that fails to be evaluated is one that cannot be judged; so is every condition before there are arguments. */
export function judge(conditional: Conditional, args: JsonObject | undefined): Judgement {
  if (args === undefined) return noArguments
  try {
    return conditional.judge(args)
  } catch (cause) {
    return { unjudged: `its conditions could not be evaluated (${String(cause)})` }
  }
}

const noArguments: Judgement = { unjudged: "there are no arguments yet" }
