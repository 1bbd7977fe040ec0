import type { ApprovalView, Problem } from "@byleave/api"
import type { BatchAnswer, Verdict } from "@byleave/ui"
import { useState } from "react"
import { mayHaveArrived, useAct } from "../../data/use-act.ts"
import { batchAnswers, inRounds } from "./batch-answers.ts"

type Batch = {
  readonly answers: readonly BatchAnswer[] | null
  readonly isSending: boolean
  readonly send: (verdicts: ReadonlyArray<{ readonly approval: ApprovalView; readonly verdict: Verdict }>) => void
  readonly clear: () => void
}

/** Several verdicts at once, with an answer to each; `onDone` once the service has answered. */
export function useBatch(onDone: () => void): Batch {
  const { act, isBusy } = useAct("giveVerdicts")
  const [answers, setAnswers] = useState<readonly BatchAnswer[] | null>(null)
  const send: Batch["send"] = async (verdicts) => {
    const all: BatchAnswer[] = []
    for (const round of inRounds(verdicts)) {
      const body = { verdicts: round.map(({ approval, verdict }) => ({ approval: approval.id, ...verdict })) }
      const reply = await act({ body })
      const failed = (problem: Problem): readonly BatchAnswer[] =>
        round.map(({ approval }) => ({
          approval,
          ok: false,
          words: problem.detail,
          ...(mayHaveArrived(problem) ? { isUnknown: true as const } : {}),
        }))
      all.push(...(reply.ok ? batchAnswers(round, reply.value.answers) : failed(reply.problem)))
    }
    setAnswers(all)
    onDone()
  }
  return { answers, isSending: isBusy, send, clear: () => setAnswers(null) }
}
