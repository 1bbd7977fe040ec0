import type { AnsweredAll, ApprovalView } from "@byleave/api"
import type { BatchAnswer } from "@byleave/ui"

type Sent = { readonly approval: ApprovalView; readonly verdict: { readonly kind: "approve" | "deny" } }

/** What became of each of several verdicts, in their order. */
export function batchAnswers(sent: readonly Sent[], answers: AnsweredAll["answers"]): readonly BatchAnswer[] {
  return sent.map(({ approval, verdict }, at) => {
    const answer = answers[at]
    if (answer === undefined)
      return { approval, ok: false, words: "There was no answer to this one. Look at it again." }
    if (!answer.ok) return { approval, ok: false, words: answer.problem.detail }
    return { approval: answer.approval, ok: true, words: wordsFor(verdict.kind, answer.approval) }
  })
}

function wordsFor(kind: "approve" | "deny", approval: ApprovalView): string {
  if (kind === "deny") return "Denied"
  return approval.status === "pending" ? "Counted; more people must allow it" : "Allowed"
}

/** As many verdicts as one request may hold. */
const mostAtOnce = 500

export function inRounds<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / mostAtOnce) }, (_, round) =>
    items.slice(round * mostAtOnce, (round + 1) * mostAtOnce),
  )
}
