import { describeRemembered, describeRule, parseTargetPattern, type Rule } from "@byleave/core"
import { expect, it } from "vitest"
import { withoutVerb } from "./without-verb.ts"

const origin = { where: "byleave.yaml", line: 1, column: 1 }
const read = parseTargetPattern("files(read_*)")
const tool = { kind: "tool", server: "files", tool: "read_file" } as const

it.each(["hide", "deny", "ask", "allow"] as const)("says a rule that would %s without its verb", (effect) => {
  if (!read.ok) throw new Error("This is a pattern.")
  const rule: Rule = { id: "1", effect, target: read.pattern, origin }
  expect(withoutVerb(describeRule(rule))).toBe("files(read_*)")
})

it.each(["allow", "deny"] as const)("says a remembered %s without its verb, for whomever it is", (effect) => {
  const whose = [
    {},
    { session: { principal: "a", id: "b" } },
    { session: { principal: "a", id: "a" } },
    { session: { principal: 'a", always \\"deny x', id: "b" } },
  ]
  for (const session of whose) {
    const { words } = describeRemembered({ effect, breadth: tool, ...session }, { now: 0 })
    expect(withoutVerb(words)).toBe("files(read_file)")
  }
})

it("leaves other words whole", () => {
  expect(withoutVerb("Allowing is not a verb of ours")).toBe("Allowing is not a verb of ours")
  expect(withoutVerb("Hide ")).toBe("Hide ")
})
