import { describe, expect, it } from "vitest"
import { callersBehind, callersWords } from "./callers-behind.ts"

describe("whose calls come under a principal's name", () => {
  it.each([
    { principal: "laptop", words: 'the agent "laptop"' },
    { principal: "app:copilot", words: 'the agent "app:copilot"' },
    { principal: "wrapped:files", words: 'the agent "wrapped:files"' },
    { principal: "run", starter: "runner ci", words: 'runs started by the token "ci"' },
    { principal: "chat", starter: "reviewer ana", words: 'chat threads started by the reviewer "ana"' },
    { principal: "run", words: "all agent runs, whoever starts them" },
    { principal: "chat", words: "all chat threads, whoever starts them" },
    { principal: "wrap:files", words: 'every program that uses "files" through byleave wrap' },
    { principal: "wrap-0123456789ab:a:b", words: 'every program that uses "a:b" through byleave wrap' },
    {
      principal: "wrap:claude",
      words:
        'every program that uses "claude" through byleave wrap, and every "claude" whose own questions Byleave answers',
    },
    {
      principal: "wrap-0123456789ab:codex",
      words:
        'every program that uses "codex" through byleave wrap, and every "codex" whose own questions Byleave answers',
    },
    { principal: "claude", words: 'the agent "claude"' },
    { principal: "anonymous", words: "every agent without a token" },
  ])("I1: $principal is $words", ({ principal, starter, words }) => {
    expect(callersWords(callersBehind(principal, starter))).toBe(words)
  })

  it("a name that reads like our words stays a name", () => {
    expect(callersWords(callersBehind("run", 'runner ci", and by nobody else'))).toBe(
      'runs started by the token "ci\\", and by nobody else"',
    )
  })
})
