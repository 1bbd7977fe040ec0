import type { ApprovalSummaryView } from "@byleave/api"
import { useState } from "react"
import { answerWords, type RequestAnswer } from "./request-block.tsx"

export type Answers = {
  /** The newest answer that was given here, in a sentence for those who listen to the page; empty: none was. */
  readonly done: string
  /** Hears of an answer by the ids of its block, its message and its thread. */
  readonly onAnswer: (answer: RequestAnswer) => void
}

/** The answers that are given in a thread. `waiting`: the calls of the thread that wait. */
export function useAnswers(waiting: readonly ApprovalSummaryView[]): Answers {
  const [done, setDone] = useState("")
  const onAnswer = (answer: RequestAnswer): void => {
    const answered = waiting.find(({ id }) => id === answer.approval)
    if (answered !== undefined) setDone(answerWords(answer, answered))
  }
  return { done, onAnswer }
}
