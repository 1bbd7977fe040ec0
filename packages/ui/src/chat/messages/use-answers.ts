import { useState } from "react"
import { answerWords, type RequestAnswer } from "./request-block.tsx"

export type Answers = {
  /** The newest answer that was given here, in a sentence for those who listen to the page; empty: none was. */
  readonly done: string
  /** Hears of an answer by the ids of its block, its message and its thread. */
  readonly onAnswer: (answer: RequestAnswer) => void
}

/** The answers that are given in a thread. */
export function useAnswers(): Answers {
  const [done, setDone] = useState("")
  return { done, onAnswer: (answer) => setDone(answerWords(answer)) }
}
