import { emptyPolicy, parseTargetPattern, type Rule } from "@byleave/core"
import { expect, it } from "vitest"
import { rulesResources } from "./rules-resources.ts"

it.each([
  { effect: "hide", text: "files(resource:file:///secret/*)", ruled: true },
  { effect: "ask", text: "*(resource:*)", ruled: true },
  { effect: "allow", text: "files(resource:*)", ruled: false },
  { effect: "deny", text: "other(resource:*)", ruled: false },
  { effect: "deny", text: "files(*)", ruled: false },
] as const)("a rule to $effect $text is about resources of files: $ruled", ({ effect, text, ruled }) => {
  const parsed = parseTargetPattern(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  const rule = { id: text, effect, target: parsed.pattern, origin: { where: "test" } } as Rule
  expect(rulesResources({ ...emptyPolicy, rules: [rule] }, "files")).toBe(ruled)
})
