import { callersBehind, callersWords } from "@byleave/core"
import type { ApprovalView } from "../views/approval-view.ts"

/**
 * What remembering an answer for the session of a call means, on the page and at the terminal alike. A session that is only its agent outlives every
 * start of it.
 */
export type ScopeWords = {
  /** Such as "Allow for session". */
  readonly button: string
  readonly words: string
  readonly scope: string
  readonly question: string
}

export function scopeWords({ session }: Pick<ApprovalView, "session">): ScopeWords {
  if (session.named) {
    return {
      button: "Allow for session",
      words: "this tool, until the session ends",
      scope: "This session only, until it ends",
      question: "Allow this tool for the rest of its session?",
    }
  }
  const callers = callersBehind(session.principal)
  const whom = callers.kind === "agent" ? "this agent" : callersWords(callers)
  const only = callers.kind === "agent" ? "This agent only" : `${whom.charAt(0).toUpperCase()}${whom.slice(1)}`
  return {
    button: "Allow for 30 minutes",
    words: `${whom}, even if it restarts`,
    scope: `${only}, even if it restarts; up to 30 minutes`,
    question: `Allow this tool for ${whom} for 30 minutes, even if it restarts?`,
  }
}
