import type { GrantView, PolicyView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { answerOf, changeTo, conditionalRules, grantsOfTool, policyLabel } from "./tool-answer.ts"

const tool = { kind: "tool", server: "files", tool: "write_file" } as const

function grant(id: string, more: Partial<GrantView> = {}): GrantView {
  return {
    ...{ id, version: 1, effect: "allow", breadth: tool, level: "AllowAlways", words: id, text: id },
    ...{ createdAt: 1, createdBy: "ada", from: null, lastUsedAt: null, timesUsed: 0 },
    ...more,
  }
}

const inNotes = grant("notes", {
  breadth: { ...tool, when: [{ key: "path", op: "under", folder: "/home/me/notes" }] },
})
const forClaude = grant("claude", { agent: "claude" })
const of = (...grants: GrantView[]) => grantsOfTool(grants, "files", "write_file")

describe("the answer of one tool", () => {
  it("is what was said of it as a whole and for everybody; a no wins", () => {
    expect(answerOf(of())).toBe("policy")
    expect(answerOf(of(inNotes, forClaude))).toBe("policy")
    expect(answerOf(of(grant("yes")))).toBe("allow")
    expect(answerOf(of(grant("yes"), grant("no", { effect: "deny" })))).toBe("deny")
    expect(answerOf(of(grant("other", { breadth: { ...tool, tool: "read_file" } })))).toBe("policy")
  })

  it("is the policy's where nothing is saved, and says what that is", () => {
    expect(policyLabel(answerOf(of()), "allow")).toBe("By policy: allowed")
    expect(policyLabel(answerOf(of()), "ask")).toBe("By policy: needs approval")
    expect(policyLabel(answerOf(of(grant("yes"))), "allow")).toBe("By policy")
  })

  it("shows apart what holds only for some arguments or some agents", () => {
    const { whole, partly } = of(grant("yes"), inNotes, forClaude)
    expect([whole, partly].map((list) => list.map(({ id }) => id))).toEqual([["yes"], ["notes", "claude"]])
  })

  it("changes by forgetting what says otherwise, and adds what is missing; what is conditional stays", () => {
    const no = grant("no", { effect: "deny" })
    expect(changeTo("allow", of(no, inNotes))).toEqual({ forget: [no], add: "allow" })
    expect(changeTo("policy", of(no, inNotes))).toEqual({ forget: [no], add: null })
    expect(changeTo("deny", of(no))).toEqual({ forget: [], add: null })
  })

  it("shows rules with conditions that name the tool", () => {
    const rule = (id: string, text: string) =>
      ({ id, text, effect: "allow", words: "", reason: null, where: "", template: null }) as const
    const rules = [
      rule("1", 'allow: "files(write_*)" when path under "/home/me"'),
      rule("2", 'allow: "files(write_*)"'),
      rule("3", 'deny: "web(*)" when path under "/home/me"'),
    ]
    const found = conditionalRules({ rules } as unknown as PolicyView, "files", "write_file")
    expect(found.map(({ id }) => id)).toEqual(["1"])
  })
})
