/**
 * Answers to the calls of one review, before they are sent. A yes goes only to a call that waits, that a batch may allow, and that was shown as it
 * is now; a call that no longer waits is left out, whatever was said to it before.
 */
import type { ApprovalSummaryView, ApprovalView, FileChange } from "@byleave/api"
import { shownArguments, shownExtraParams, shownText } from "@byleave/api/page"
import type { JsonValue } from "@byleave/core"
import { batchOf, holdsSecret, tooLong, unrevealed } from "../verdict/batch/batch.ts"
import type { BatchVerdict } from "../verdict/batch/batch-dialog.tsx"
import { type FileComment, reasonOf } from "./comment-reason.ts"
import { hasMoreValues } from "./has-more-values.ts"
import { shownChanges } from "./shown-changes.ts"

export type ReviewAnswer = "allow" | "deny"

export type ReadCall = {
  readonly call: ApprovalView
  /** Whatever is shown otherwise is another call, whatever digest it comes with: answers and comments to the one do not count for the other. */
  readonly key: string
  readonly holdsSecret: boolean
  readonly changes: readonly FileChange[]
  /** It holds more values than anybody reads among others, and is not drawn in the review. */
  readonly isTooLong: boolean
}

/** One call of a review: as it is listed, and whole. */
export type ReviewCall = ReadCall & { readonly listed: ApprovalSummaryView }

/** By key, so that an answer belongs to the call as it was shown. */
export type ReviewAnswers = ReadonlyMap<string, ReviewAnswer>
export type ReviewComments = ReadonlyMap<string, ReadonlyMap<string, FileComment>>
export type ReviewReasons = ReadonlyMap<string, string>

export type ReviewSummary = {
  readonly allowed: readonly ReviewCall[]
  readonly denied: readonly ReviewCall[]
  /** They wait on. */
  readonly unanswered: readonly ReviewCall[]
  /** Why a call cannot be allowed here, by its id. */
  readonly whyNot: ReadonlyMap<string, string>
}

/** Looking through the values of a call takes time with each of them: agents choose how many there are. */
const mostValues = 5_000

export function readCall(call: ApprovalView): ReadCall {
  const changes = shownChanges(call)
  const sent: JsonValue = { args: shownArguments(call) ?? {}, extra: shownExtraParams(call) ?? {} }
  // One that is not drawn cannot be allowed: its digest is enough to tell it from another.
  if (hasMoreValues(sent, mostValues)) {
    return { call, key: `${call.id} ${call.runDigest}`, holdsSecret: false, changes, isTooLong: true }
  }
  return { call, key: `${call.id} ${shownText(call)}`, holdsSecret: holdsSecret(call), changes, isTooLong: false }
}

/** Other than in a list, it can be revealed in place. */
const unrevealedHere = "It contains a secret that is not revealed yet."

/** How far somebody has looked at a call, as it is shown now. */
export type ReviewLook = {
  /** Every secret in it. */
  readonly isRevealed: (each: ReviewCall) => boolean
  /** All that a yes would sign is on the page. */
  readonly isDrawn: (each: ReviewCall) => boolean
}

export function reviewSummary(
  calls: readonly ReviewCall[],
  answers: ReviewAnswers,
  { isRevealed, isDrawn }: ReviewLook,
): ReviewSummary {
  const waiting = calls.filter(({ call }) => call.status === "pending")
  const revealed = new Set(waiting.filter(isRevealed).map(({ call }) => call.id))
  const { leftOut } = batchOf(
    waiting.map(({ listed }) => listed),
    ({ id }) => revealed.has(id),
  )
  const masked = waiting.filter((each) => each.holdsSecret && !isRevealed(each))
  const whyNot = new Map([
    ...masked.map(({ call }) => [call.id, unrevealedHere] as const),
    ...waiting.flatMap(({ call, isTooLong }) => (isTooLong ? [[call.id, tooLong] as const] : [])),
    ...leftOut.map(({ approval, why }) => [approval.id, why === unrevealed ? unrevealedHere : why] as const),
  ])
  const answerOf = (each: ReviewCall): ReviewAnswer | null => {
    const { call, key } = each
    const answer = answers.get(key) ?? null
    return answer === "allow" && (whyNot.has(call.id) || !isDrawn(each)) ? null : answer
  }
  return {
    allowed: waiting.filter((each) => answerOf(each) === "allow"),
    denied: waiting.filter((each) => answerOf(each) === "deny"),
    unanswered: waiting.filter((each) => answerOf(each) === null),
    whyNot,
  }
}

/** The words for the agent: a reason and comments for each call by its key, and a note for all that are denied. */
export type ReviewWords = {
  readonly reasons: ReviewReasons
  readonly comments: ReviewComments
  readonly note: string
}

/** Each bound to the call as it is shown; a no with its own reason first, then the note, then its comments. */
export function reviewVerdicts(
  { allowed, denied }: Pick<ReviewSummary, "allowed" | "denied">,
  { reasons, comments, note }: ReviewWords,
): readonly BatchVerdict[] {
  return [
    ...allowed.map(({ listed, call }) => ({ approval: listed, shown: call, verdict: { kind: "approve" as const } })),
    ...denied.map(({ listed, call, key }) => {
      const reason = reasonOf([reasons.get(key) ?? "", note], [...(comments.get(key)?.values() ?? [])])
      return {
        approval: listed,
        shown: call,
        verdict: { kind: "deny" as const, ...(reason === "" ? {} : { reason }) },
      }
    }),
  ]
}
