import { describe, expect, it } from "vitest"
import { coverWords, remainingWords } from "./observed-words.ts"

const rule = {
  ...{ id: "a", rule: "", words: "", tool: { server: "files", tool: "read" }, agent: null, covers: [] },
  ...{ calls: 4, sessions: 1, days: 2, agents: 1, replaces: [] },
}
const report = { wouldAsk: 10, stillAsk: 10, delicate: 0, spared: 0, rules: [] }

describe("R37: the words of what was observed", () => {
  it.each([
    { name: "all answered", report: { ...report, stillAsk: 0 }, words: /now answer all of them\.$/ },
    { name: "nothing to propose", report, words: /^No narrow rule covers what is left/ },
    {
      name: "one rule for a part",
      report: { ...report, stillAsk: 8, delicate: 1, spared: 4, rules: [rule] },
      words:
        /^Rules and permissions now answer 2 of them\. 1 looks sensitive or destroys something, so no rule is proposed for it\. The rule below would have spared 4 of 8 questions\.$/,
    },
    {
      name: "several rules",
      report: { ...report, delicate: 2, spared: 5, rules: [rule, rule] },
      words: /^2 look sensitive .* for them\. The 2 rules below would have spared 5 of 10 questions\.$/,
    },
  ])("tell what is left: $name", ({ report, words }) => {
    expect(remainingWords(report)).toMatch(words)
  })

  it("never say that somebody allowed a proposed rule's calls", () => {
    expect(coverWords(rule)).toBe("Would have allowed 4 observed calls in 1 session over 2 days")
  })
})
