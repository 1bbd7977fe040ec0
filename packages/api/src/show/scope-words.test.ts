import { describe, expect, it } from "vitest"
import { scopeWords } from "./scope-words.ts"

describe("scopeWords", () => {
  it("says of a session what it is: its own life, or the agent's with all its starts", () => {
    expect(scopeWords({ session: { principal: "claude", id: "s1", named: true } })).toMatchObject({
      button: "Allow for session",
      words: "this tool, until the session ends",
      question: "Allow this tool for the rest of its session?",
    })
    expect(scopeWords({ session: { principal: "claude", id: "claude", named: false } })).toEqual({
      button: "Allow for 30 minutes",
      words: "this agent, even if it restarts",
      scope: "This agent only, even if it restarts; up to 30 minutes",
      question: "Allow this tool for this agent for 30 minutes, even if it restarts?",
    })
  })

  it("names whom it serves where no credential tells agents apart", () => {
    expect(scopeWords({ session: { principal: "anonymous", id: "anonymous", named: false } })).toMatchObject({
      words: "every agent without a token, even if it restarts",
      scope: "Every agent without a token, even if it restarts; up to 30 minutes",
      question: "Allow this tool for every agent without a token for 30 minutes, even if it restarts?",
    })
  })
})
