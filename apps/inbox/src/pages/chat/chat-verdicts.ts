import type { RequestAnswer } from "@byleave/ui/chat"
import { createContext } from "react"
import type { Verdicts } from "../waiting/answer/use-verdicts.ts"

/** The verdicts that are given in a thread, for its cards; each is told with the ids of its block, its message and its thread. */
export const ChatVerdicts = createContext<{
  readonly verdicts: Verdicts
  readonly onAnswer: (answer: RequestAnswer) => void
} | null>(null)
