import {
  type ChangeCounts,
  type ChangeTreeNode,
  changedPath,
  changeTree,
  type FileComment,
  filesIn,
  type ReviewAnswer,
  type ReviewCall,
  type ReviewedFile,
  type ReviewSummary,
  reviewSummary,
  shownChanges,
} from "@byleave/ui"
import { useState } from "react"

type Comments = ReadonlyMap<string, FileComment>
type Counts = readonly (ChangeCounts | null)[]

const noComments: Comments = new Map()

export type ReviewDraft = {
  readonly tree: readonly ChangeTreeNode<ReviewedFile>[]
  /** In the order of the tree, so that one can read on from one to the next. */
  readonly ordered: readonly ReviewCall[]
  readonly summary: ReviewSummary
  readonly comments: ReadonlyMap<string, Comments>
  readonly answerOf: (each: ReviewCall) => ReviewAnswer | null
  readonly commentsOf: (each: ReviewCall) => Comments
  readonly answer: (some: readonly ReviewCall[], given: ReviewAnswer | null) => void
  readonly comment: (each: ReviewCall, told: Comments) => void
  readonly reveal: (each: ReviewCall) => void
  readonly count: (id: string, told: Counts) => void
  /** Something was said that is not sent. */
  readonly isBegun: boolean
  /** Another call changes one of the same files. */
  readonly isShared: (each: ReviewCall) => boolean
}

/** Answers and comments while somebody reviews; nothing is sent from here. */
export function useReview(calls: readonly ReviewCall[]): ReviewDraft {
  const [answers, setAnswers] = useState<ReadonlyMap<string, ReviewAnswer>>(new Map())
  const [comments, setComments] = useState<ReadonlyMap<string, Comments>>(new Map())
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set())
  const [counts, setCounts] = useState<ReadonlyMap<string, Counts>>(new Map())
  const summary = reviewSummary(calls, answers, ({ key }) => revealed.has(key))
  const commentsOf = ({ key }: ReviewCall): Comments => comments.get(key) ?? noComments
  const answerOf = (each: ReviewCall): ReviewAnswer | null =>
    summary.allowed.includes(each) ? "allow" : summary.denied.includes(each) ? "deny" : null
  const tree = changeTree(calls.flatMap((each) => filesOf(each, counts, answerOf(each), commentsOf(each))))
  const order = [...new Set(filesIn(tree).map(({ callId }) => callId))]
  const byId = new Map(calls.map((each) => [each.call.id, each]))
  const answer = (some: readonly ReviewCall[], given: ReviewAnswer | null): void =>
    setAnswers((before) => {
      const after = new Map(before)
      for (const { key } of some) {
        if (given === null) after.delete(key)
        else after.set(key, given)
      }
      return after
    })
  return {
    tree,
    ordered: order.flatMap((id) => byId.get(id) ?? []),
    summary,
    comments,
    answerOf,
    commentsOf,
    answer,
    comment: ({ key }: ReviewCall, told: Comments) => setComments((before) => new Map(before).set(key, told)),
    reveal: ({ key }: ReviewCall) => setRevealed((before) => new Set([...before, key])),
    count: (id: string, told: Counts) => setCounts((before) => new Map(before).set(id, told)),
    isBegun: summary.allowed.length + summary.denied.length > 0,
    isShared: (each: ReviewCall) => {
      const paths = new Set(shownChanges(each.call).map(changedPath))
      return calls.some(
        (other) => other !== each && shownChanges(other.call).some((change) => paths.has(changedPath(change))),
      )
    },
  }
}

function filesOf(
  { call }: ReviewCall,
  counts: ReadonlyMap<string, Counts>,
  answer: ReviewAnswer | null,
  comments: Comments,
): readonly ReviewedFile[] {
  return shownChanges(call).map((change, at) => {
    const path = changedPath(change)
    return {
      key: `${call.id} ${at}`,
      path,
      counts: counts.get(call.id)?.[at] ?? null,
      state: call.status === "pending" ? (answer ?? "open") : "gone",
      comments: [...comments.values()].filter((comment) => comment.path === path).length,
      callId: call.id,
    }
  })
}
