import {
  type Approval,
  canonicalJson,
  type JsonObject,
  type Outcome,
  type Run,
  type RunContext,
  type RunOutcome,
  type SubmitOptions,
} from "@byleave/core"
import { type AdapterOptions, callFor } from "./adapter-options.ts"
import { argumentsOf } from "./json.ts"
import { patience } from "./patience.ts"
import { type ProposedCall, type UnrunAnswer, unrunAnswer } from "./submit-call.ts"

/**
 * A decision for hosts that ask before a tool runs and tell afterwards how it ended. `run`: the host may run it with these arguments, and
 * whoever hears of the end reports it. Until then the record says running, and without a report, once this process is gone, unknown.
 */
export type DecidedCall =
  | {
      readonly kind: "run"
      readonly args: JsonObject
      readonly edited: boolean
      readonly context: RunContext
      /** Resolves with what the caller gets, once the gate has it on record. */
      readonly report: (outcome: RunOutcome) => Promise<Outcome>
    }
  | UnrunAnswer

export async function decideCall(
  options: AdapterOptions,
  proposed: ProposedCall,
  more: Pick<SubmitOptions, "leavesAnswered" | "onHeld"> = {},
): Promise<DecidedCall> {
  const args = argumentsOf(proposed.input)
  const call = callFor(options, proposed.tool, args, proposed)
  const decided = Promise.withResolvers<DecidedCall>()
  const ended = Promise.withResolvers<RunOutcome>()
  const { how, started, done } = patience(options, proposed.signal)
  const run: Run = (runArgs, context) => {
    started()
    const edited = canonicalJson(runArgs) !== canonicalJson(args)
    const report = (outcome: RunOutcome): Promise<Outcome> => {
      ended.resolve(outcome)
      return settled
    }
    decided.resolve({ kind: "run", args: runArgs, edited, context, report })
    return ended.promise
  }
  const onHeld = (approval: Approval): void => {
    how.onHeld?.(approval)
    more.onHeld?.(approval)
  }
  const settled = options.gate.submit(call, run, { ...how, ...more, onHeld }).finally(done)
  settled.then((outcome) => decided.resolve(unrunAnswer(outcome, options, proposed.tool)), decided.reject)
  return decided.promise
}
