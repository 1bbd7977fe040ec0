import type { AnsweredAll, ApprovalSummaryView, ApprovalView } from "@byleave/api"
import type { BatchChoice } from "@byleave/ui"

type Sent = { readonly approval: ApprovalSummaryView }

/** The outcomes of several verdicts, in their order. */
export function batchAnswers(sent: readonly Sent[], answers: AnsweredAll["answers"]): readonly BatchChoice[] {
  return sent.map(({ approval: listed }, at) => {
    const answer = answers[at]
    if (answer === undefined) return notCounted(listed, "No response for this call. Open it to check.")
    if (!answer.ok) return notCounted(listed, answer.problem.detail)
    return { listed, approval: answer.approval, ok: true, problem: null }
  })
}

/** Each answer with its call as it was read last. What was read before the answer is older than the answer itself, and does not count. */
export function withReads(answers: readonly BatchChoice[], reads: readonly ApprovalView[]): readonly BatchChoice[] {
  const byId = new Map(reads.map((read) => [read.id, read]))
  return answers.map((answer) => {
    const read = byId.get(answer.approval.id)
    return answer.ok && read !== undefined && read.version >= answer.approval.version
      ? { ...answer, approval: read }
      : answer
  })
}

export function notCounted(listed: ApprovalSummaryView, problem: string): BatchChoice {
  return { listed, approval: listed, ok: false, problem }
}

/** As many verdicts as one request may hold. */
const mostAtOnce = 500

export function inRounds<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / mostAtOnce) }, (_, round) =>
    items.slice(round * mostAtOnce, (round + 1) * mostAtOnce),
  )
}
