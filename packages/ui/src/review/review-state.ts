/**
 * Answers to the calls of one review, before they are sent. A yes goes only to a call that waits, that a batch may allow, and that was shown as it
 * is now; a call that no longer waits is left out, whatever was said to it before.
 */
import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { shownText } from "@byleave/api/page"
import { batchOf, holdsSecret, unrevealed } from "../verdict/batch/batch.ts"
import type { BatchVerdict } from "../verdict/batch/batch-dialog.tsx"
import { type FileComment, reasonOf } from "./comment-reason.ts"

export type ReviewAnswer = "allow" | "deny"

export type ReadCall = {
  readonly call: ApprovalView
  /** Whatever is shown otherwise is another call, whatever digest it comes with: answers and comments to the one do not count for the other. */
  readonly key: string
  readonly holdsSecret: boolean
}

/** One call of a review: as it is listed, and whole. */
export type ReviewCall = ReadCall & { readonly listed: ApprovalSummaryView }

/** By key, so that an answer belongs to the call as it was shown. */
export type ReviewAnswers = ReadonlyMap<string, ReviewAnswer>
export type ReviewComments = ReadonlyMap<string, ReadonlyMap<string, FileComment>>

export type ReviewSummary = {
  readonly allowed: readonly ReviewCall[]
  readonly denied: readonly ReviewCall[]
  /** They wait on. */
  readonly unanswered: readonly ReviewCall[]
  /** Why a call cannot be allowed here, by its id. */
  readonly whyNot: ReadonlyMap<string, string>
}

export function readCall(call: ApprovalView): ReadCall {
  return { call, key: `${call.id} ${shownText(call)}`, holdsSecret: holdsSecret(call) }
}

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
    ...masked.map(({ call }) => [call.id, unrevealed] as const),
    ...leftOut.map(({ approval, why }) => [approval.id, why] as const),
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

/** Each bound to the call as it is shown; a no with its comments as the reason. */
export function reviewVerdicts(
  { allowed, denied }: Pick<ReviewSummary, "allowed" | "denied">,
  comments: ReviewComments,
  note: string,
): readonly BatchVerdict[] {
  return [
    ...allowed.map(({ listed, call }) => ({ approval: listed, shown: call, verdict: { kind: "approve" as const } })),
    ...denied.map(({ listed, call, key }) => {
      const reason = reasonOf(note, [...(comments.get(key)?.values() ?? [])])
      return {
        approval: listed,
        shown: call,
        verdict: { kind: "deny" as const, ...(reason === "" ? {} : { reason }) },
      }
    }),
  ]
}
