import { expect, it } from "vitest"
import { compilePolicy } from "./compile-policy.ts"
import { emptyPolicy } from "./rule.ts"

it("I2: keeps the plans of the names asked about lately, and of no endless number of them", () => {
  const { planFor } = compilePolicy(emptyPolicy)
  const plan = (name: string) => planFor({ server: "files", kind: "tool", name }, "ann", "write")
  const first = plan("first")
  expect(plan("first")).toBe(first)
  for (let at = 0; at < 10_000; at += 1) plan(`tool ${at}`)
  expect(plan("first")).not.toBe(first)
  const long = "x".repeat(10_000)
  expect(plan(long)).not.toBe(plan(long))
})
