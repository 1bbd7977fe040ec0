import { expect, it } from "vitest"
import { rule } from "../fixtures/questions.ts"
import { defaultLimits, emptyPolicy, type Policy } from "../rules/rule.ts"
import { compilePolicy } from "./compile-policy.ts"

const tooLong = "a*".repeat(501)
const endless = { server: "files", kind: "tool", name: tooLong, whole: false } as const

it.each<{ name: string; policy: Partial<Policy> }>([
  { name: "a rule's target", policy: { rules: [{ ...rule("deny", "files"), target: endless }] } },
  { name: "a rule's principal", policy: { rules: [rule("deny", "files", { principal: tooLong })] } },
  { name: "a server's offer", policy: { servers: [{ id: "files", trust: "none", pin: "full", offer: [tooLong] }] } },
  { name: "a class", policy: { classify: [{ access: "read", target: endless, origin: { where: "test" } }] } },
  { name: "a limit", policy: { limits: { ...defaultLimits, coolDown: { after: [endless], forMs: 1 } } } },
])("no policy is made of $name that is too long to match with", ({ policy }) => {
  expect(() => compilePolicy({ ...emptyPolicy, ...policy })).toThrow("a pattern may have 1000")
})

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

it("I1: a rule about one resource or prompt is found for its other spellings, too", () => {
  const rules = [rule("deny", "files(resource:file:///etc/passwd)"), rule("deny", "*(prompt:danger)")]
  const { planFor } = compilePolicy({ ...emptyPolicy, rules })
  const denied = (kind: "resource" | "prompt", name: string) =>
    planFor({ server: "files", kind, name }, "ann", "unknown").denied?.effect
  expect(denied("resource", "file://localhost/etc/passwd")).toBe("deny")
  expect(denied("prompt", "Danger")).toBe("deny")
  expect(denied("prompt", "other")).toBeUndefined()
})
