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
} from "@byleave/ui"
import { useMemo, useState } from "react"
import type { KeptMark } from "./kept-marks.ts"

type Comments = ReadonlyMap<string, FileComment>
type Counts = readonly (ChangeCounts | null)[]

const noComments: Comments = new Map()

export type ReviewDraft = {
  readonly tree: readonly ChangeTreeNode<ReviewedFile>[]
  /** In the order of the tree, so that one can read on from one to the next. */
  readonly ordered: readonly ReviewCall[]
  readonly summary: ReviewSummary
  readonly comments: ReadonlyMap<string, Comments>
  readonly reasons: ReadonlyMap<string, string>
  readonly answerOf: (each: ReviewCall) => ReviewAnswer | null
  readonly commentsOf: (each: ReviewCall) => Comments
  readonly answer: (some: readonly ReviewCall[], given: ReviewAnswer | null) => void
  readonly comment: (each: ReviewCall, told: Comments) => void
  readonly reasonOf: (each: ReviewCall) => string
  readonly setReason: (each: ReviewCall, reason: string) => void
  readonly reveal: (each: ReviewCall) => void
  /** Everything that a yes to it would sign is on the page. */
  readonly isDrawn: (each: ReviewCall) => boolean
  readonly draw: (each: ReviewCall) => void
  readonly count: (id: string, told: Counts) => void
  /** Every answer to a call, whether or not it counts now. */
  readonly markOf: (each: ReviewCall) => KeptMark
  /** Puts back a mark that was made before the page was loaded anew, unless something was said since. */
  readonly restore: (each: ReviewCall, mark: KeptMark) => void
  /** Something was said that is not sent. */
  readonly isBegun: boolean
  /** Another call changes one of the same files. */
  readonly isShared: (each: ReviewCall) => boolean
}

/** Answers and comments while somebody reviews; nothing is sent from here. */
export function useReview(calls: readonly ReviewCall[]): ReviewDraft {
  const [answers, setAnswers] = useState<ReadonlyMap<string, ReviewAnswer>>(new Map())
  const [comments, setComments] = useState<ReadonlyMap<string, Comments>>(new Map())
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map())
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set())
  const [counts, setCounts] = useState<ReadonlyMap<string, Counts>>(new Map())
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(new Set())
  const isDrawn = ({ key }: ReviewCall): boolean => drawn.has(key)
  const summary = reviewSummary(calls, answers, { isRevealed: ({ key }) => revealed.has(key), isDrawn })
  const commentsOf = ({ key }: ReviewCall): Comments => comments.get(key) ?? noComments
  const answerOf = (each: ReviewCall): ReviewAnswer | null =>
    summary.allowed.includes(each) ? "allow" : summary.denied.includes(each) ? "deny" : null
  const shared = useMemo(() => sharedPaths(calls), [calls])
  const tree = changeTree(calls.flatMap((each) => filesOf(each, counts, answerOf(each), commentsOf(each))))
  const order = [...new Set(filesIn(tree).map(({ callId }) => callId))]
  const byId = new Map(calls.map((each) => [each.call.id, each]))
  const answer = (some: readonly ReviewCall[], given: ReviewAnswer | null): void =>
    setAnswers((before) => {
      const after = new Map(before)
      for (const each of some) {
        if (given === null) after.delete(each.key)
        else if (given === "deny" || isDrawn(each)) after.set(each.key, given)
      }
      return after
    })
  const draw = ({ key }: ReviewCall): void => setDrawn((before) => new Set([...before, key]))
  const restore = (each: ReviewCall, mark: KeptMark): void => {
    const { key } = each
    const { answer: marked, reason, comments: said } = mark
    // Whoever allowed it had it on the page, just as it is.
    if (marked === "allow") draw(each)
    if (marked !== null) setAnswers((before) => (before.has(key) ? before : new Map(before).set(key, marked)))
    if (reason !== "") setReasons((before) => (before.has(key) ? before : new Map(before).set(key, reason)))
    if (said.length > 0) setComments((before) => (before.has(key) ? before : new Map(before).set(key, new Map(said))))
  }
  return {
    tree,
    ordered: order.flatMap((id) => byId.get(id) ?? []),
    summary,
    comments,
    reasons,
    answerOf,
    commentsOf,
    answer,
    comment: ({ key }: ReviewCall, told: Comments) => setComments((before) => new Map(before).set(key, told)),
    reasonOf: ({ key }: ReviewCall) => reasons.get(key) ?? "",
    setReason: ({ key }: ReviewCall, reason: string) => setReasons((before) => new Map(before).set(key, reason)),
    reveal: ({ key }: ReviewCall) => setRevealed((before) => new Set([...before, key])),
    isDrawn,
    draw,
    count: (id: string, told: Counts) => setCounts((before) => new Map(before).set(id, told)),
    markOf: (each) => ({
      answer: answers.get(each.key) ?? null,
      reason: reasons.get(each.key) ?? "",
      comments: [...commentsOf(each)],
    }),
    restore,
    isBegun: summary.allowed.length + summary.denied.length > 0,
    isShared: ({ call }: ReviewCall) => shared.has(call.id),
  }
}

/** The calls that change a file which another one changes, too. */
function sharedPaths(calls: readonly ReviewCall[]): ReadonlySet<string> {
  const byPath = new Map<string, string[]>()
  for (const { call, changes } of calls) {
    for (const path of new Set(changes.map(changedPath))) {
      byPath.set(path, [...(byPath.get(path) ?? []), call.id])
    }
  }
  return new Set([...byPath.values()].filter((ids) => ids.length > 1).flat())
}

/** Of a call with more files, the tree names so many. */
const mostInTree = 50

/** How a call that waits no more is marked in the tree. */
function endedAs(status: ReviewCall["call"]["status"]): ReviewedFile["state"] {
  if (status === "denied") return "denied"
  return status === "expired" || status === "cancelled" || status === "superseded" ? "gone" : "allowed"
}

function filesOf(
  { call, changes }: ReviewCall,
  counts: ReadonlyMap<string, Counts>,
  answer: ReviewAnswer | null,
  comments: Comments,
): readonly ReviewedFile[] {
  const told = {
    callId: call.id,
    state: call.status === "pending" ? (answer ?? "open") : endedAs(call.status),
    risk: call.riskLevel ?? "none",
  } as const
  const named = changes.slice(0, mostInTree).map((change, at): ReviewedFile => {
    const path = changedPath(change)
    return {
      ...told,
      key: `${call.id} ${at}`,
      path,
      counts: counts.get(call.id)?.[at] ?? null,
      comments: [...comments.values()].filter((comment) => comment.path === path).length,
    }
  })
  const rest = changes.length - named.length
  if (rest === 0) return named
  return [
    ...named,
    { ...told, key: `${call.id} rest`, path: `${rest} more files of one call`, counts: null, comments: 0 },
  ]
}
