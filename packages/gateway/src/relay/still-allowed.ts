/**
 * The gate's word on a call, for as long as the call waits to be sent: an agent can make that wait long, and people change their minds meanwhile.
 *
 * I1. A call that something changed about since it was judged is judged again before it is sent, by the rule that lets calls run: what is forbidden by then
 *     is not sent, nor is what more or other people would have to approve by then.
 * I2. A call is judged again once the permission or the mode that allowed it has ended by time.
 * I3. Where the gate is elsewhere, its word counts for a short time after it was asked for: a process that was stopped reads what has changed after what it is about to send.
 */
import type { Call, JsonObject } from "@byleave/core"
import { LinkError } from "../upstream/link.ts"
import type { RelayContext } from "./relay-context.ts"

/** A call as the gate lets it run. `changes`: as of `Visibility`, from before it was judged. */
export type SentJudgement = {
  readonly call: Call
  readonly args: JsonObject
  /** The one by which it runs; null: policy allowed it. */
  readonly approval: string | null
  readonly changes: number
  /** As of the run's context. */
  readonly holdsUntil?: number | undefined
  /** As of the run's context. */
  readonly grant?: string | undefined
  /** When the gate let it run, on the clock of `WordLimit`; 0 where there is none. */
  readonly since: number
}

/** How long the word of a gate elsewhere counts. `elapsed`: milliseconds on a clock that only goes forward. */
export type WordLimit = { readonly holdsMs: number; readonly elapsed: () => number }

export function isCurrent({ visibility, now, word }: RelayContext, judged: SentJudgement): boolean {
  const { changes, call, holdsUntil, since } = judged
  if (word !== undefined && word.elapsed() - since >= word.holdsMs) return false
  return changes === visibility.changes(call.session) && (holdsUntil === undefined || now() < holdsUntil)
}

/** The same call as it is judged now; throws where it may not run any more. */
export async function judgeAgain(
  { gate, visibility, now, word }: RelayContext,
  judged: SentJudgement,
  until?: Promise<unknown>,
): Promise<SentJudgement> {
  const { call, args, approval, grant } = judged
  const changes = visibility.changes(call.session)
  let since = word?.elapsed() ?? 0
  const onAsked = (): void => {
    since = word?.elapsed() ?? 0
  }
  const mayRun = await gate.mayStillRun(call, args, approval, { until, onAsked, grant }).catch((cause: unknown) => {
    throw new LinkError("changed", `${changed}, and it could not be evaluated again. ${unsent}`, { cause })
  })
  if (!mayRun) throw new LinkError("changed", `${changed}, and it may not run as it is. ${unsent}`)
  const isEnded = judged.holdsUntil !== undefined && !(now() < judged.holdsUntil)
  return { ...judged, changes, since, ...(isEnded ? { holdsUntil: undefined } : {}) }
}

const changed = "What agents may do may have changed while this call waited to be sent"
const unsent = "Nothing was sent. Call it again to have it evaluated as it is now."
