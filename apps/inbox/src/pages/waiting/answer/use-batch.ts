import type { Problem } from "@byleave/api"
import { bindVerdict } from "@byleave/api/page"
import type { BatchBarProps, BatchChoice, BatchVerdict } from "@byleave/ui"
import { useState } from "react"
import { mayHaveArrived, useAct } from "../../../data/use-act.ts"
import { batchAnswers, inRounds, notCounted } from "./batch-answers.ts"
import { useLiveAnswers } from "./use-live-answers.ts"
import { useAskBeforeClosing, useUndoWindow } from "./use-undo-window.ts"

type Batch = Pick<BatchBarProps, "answers" | "unsent" | "isSending" | "onTakeBack" | "onSend" | "onClear"> & {
  /** The decision on a call among those not sent yet; null: there is none. */
  readonly kindOf: (id: string) => "approve" | "deny" | null
}

/** Each is bound to its call as the page shows it; a plain no to what the list has of it. */
async function bound({ approval, shown, verdict: { remember: _, ...given } }: BatchVerdict, face: Face) {
  const verdict = { ...given, face }
  if (shown !== null) return { approval: approval.id, ...(await bindVerdict(shown, verdict)) }
  return { approval: approval.id, ...verdict, digest: approval.runDigest }
}

type Face = "inbox" | "chat"

/** There is one batch at a time. */
const theBatch = "batch"

/** Several verdicts at once, with an answer to each, which follows what becomes of its call; `onDone` once the service has answered. */
export function useBatch(onDone: () => void, face: Face = "inbox"): Batch {
  const { act, isBusy } = useAct("giveVerdicts")
  const [answers, setAnswers] = useState<readonly BatchChoice[] | null>(null)
  const send = async (verdicts: readonly BatchVerdict[]): Promise<void> => {
    const all: BatchChoice[] = []
    for (const round of inRounds(verdicts)) {
      const reply = await act(
        Promise.all(round.map((each) => bound(each, face))).then((bounds) => ({ body: { verdicts: bounds } })),
      )
      const failed = (problem: Problem): readonly BatchChoice[] =>
        round.map(({ approval }) => ({
          ...notCounted(approval, problem.detail),
          ...(mayHaveArrived(problem) ? { isUnknown: true as const } : {}),
        }))
      all.push(...(reply.ok ? batchAnswers(round, reply.value.answers) : failed(reply.problem)))
    }
    setAnswers(all)
    onDone()
  }
  useAskBeforeClosing(isBusy)
  const live = useLiveAnswers(answers)
  const { unsent, give, takeBack } = useUndoWindow<readonly BatchVerdict[]>((_, verdicts) => void send(verdicts))
  const waiting = unsent.get(theBatch)
  const kinds = new Map(waiting?.answer.map(({ approval, verdict }) => [approval.id, verdict.kind]))
  return {
    kindOf: (id) => kinds.get(id) ?? null,
    answers: live,
    unsent:
      waiting === undefined
        ? null
        : {
            kind: waiting.answer[0]?.verdict.kind ?? "deny",
            calls: waiting.answer.length,
            denied: waiting.answer.filter(({ verdict }) => verdict.kind === "deny").length,
            until: waiting.until,
          },
    onTakeBack: () => takeBack(theBatch),
    isSending: isBusy,
    onSend: (verdicts) => give(theBatch, verdicts),
    onClear: () => setAnswers(null),
  }
}
