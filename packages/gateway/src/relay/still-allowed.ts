/**
 * The gate's word on a call, for as long as the call waits to be sent: an agent can make that wait long, and people change their minds meanwhile.
 *
 * I1. A call that something changed about since it was judged is judged again before it is sent, by the rule that lets calls run: what is forbidden by then
 *     is not sent, nor is what more or other people would have to approve by then.
 * I2. A call is judged again once the permission or the mode that allowed it has ended by time.
 * I3. Where the gate is elsewhere, its word counts for a short time after it was asked for: a process that was stopped reads what has changed after what it is about to send.
 * I4. Where other processes change what the gate rests on, its word counts only as long as what they changed was read a short time ago, and of an approved
 *     call a short time: another process may have taken its run for lost.
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

/**
 * How long the word counts of a gate that does not know at once what changes. `elapsed`: milliseconds on a clock that only goes forward. `heardAt`: when a gate
 * here has read last what others changed, on that clock; absent: the gate is elsewhere.
 */
export type WordLimit = {
  readonly holdsMs: number
  readonly elapsed: () => number
  readonly heardAt?: () => number
}

export function isCurrent({ visibility, now, word }: RelayContext, judged: SentJudgement): boolean {
  const { changes, call, holdsUntil } = judged
  if (word !== undefined && isOld(word, judged)) return false
  return changes === visibility.changes(call.session) && (holdsUntil === undefined || now() < holdsUntil)
}

function isOld({ holdsMs, elapsed, heardAt }: WordLimit, { approval, since }: SentJudgement): boolean {
  const past = elapsed() - holdsMs
  if (heardAt === undefined) return since <= past
  return heardAt() <= past || (approval !== null && since <= past)
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
