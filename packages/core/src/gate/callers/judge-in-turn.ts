/**
 * Judging for whoever calls: each judgement of a call, or of what may be asked, passes here, in the turns of its credential. What a reviewer looks
 * at is judged without.
 *
 * I1. A call is judged by what holds when it is its turn.
 * I2. One that nobody waits for any more by then is not judged.
 *
 * Most are judged at once: a promise is given only where something is waited for.
 */
import { type Call, credentialOf } from "../../call/call.ts"
import type { PreparedJudging } from "../../call/judging-turns.ts"
import { isRunPrincipal } from "../../call/run-principal.ts"
import type { GateContext } from "../context.ts"

/** Whose call it is. `starter`: of the run that makes it, by name. */
type Caller = Pick<Call, "principal" | "session"> & { readonly starter?: string }

export function judgeInTurn<Ready, Judged>(
  { options }: GateContext,
  caller: Caller,
  judging: PreparedJudging<Ready, Judged>,
): Judged | Promise<Judged> {
  if (options.judging !== undefined) return options.judging.judge(turnsOf(caller), judging)
  const ready = judging.prepare()
  return ready instanceof Promise ? ready.then(judging.judge) : judging.judge(ready)
}

/** Judging that somebody's word has let a call come to: it is not kept waiting, and counts. */
export function judgeNow<Judged>({ options, now }: GateContext, caller: Caller, judge: () => Judged): Judged {
  const began = now()
  try {
    return judge()
  } finally {
    options.judging?.took(turnsOf(caller), now() - began)
  }
}

/** All runs have the same principals, which are no credentials. */
function turnsOf({ principal, session, starter }: Caller): string {
  return isRunPrincipal(principal.id) ? (starter ?? `run ${session.id}`) : credentialOf(principal.id)
}
