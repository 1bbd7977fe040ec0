import { createContext } from "react"
import type { Verdicts } from "../waiting/answer/use-verdicts.ts"

/** The verdicts that are given in a thread; for its cards. */
export const ChatVerdicts = createContext<Verdicts | null>(null)
