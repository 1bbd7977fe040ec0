import { expect, it } from "vitest"
import { byRisk, riskLevelOf } from "./risk-level.ts"

const call = (kinds: readonly ("large-value" | "sensitive-file")[], pin: "accepted" | "new" = "accepted") => ({
  ...{ risks: { kinds }, pin },
})

it.each([
  { name: "nothing found", of: call([]), level: "none" },
  { name: "not looked for", of: { risks: null, pin: null }, level: "none" },
  { name: "a large value", of: call(["large-value"]), level: "notice" },
  { name: "a file of the system", of: call(["large-value", "sensitive-file"]), level: "strong" },
  { name: "a tool nobody has accepted", of: call([], "new"), level: "strong" },
])("$name is $level", ({ of, level }) => {
  expect(riskLevelOf(of)).toBe(level)
})

it("orders calls by risk, and leaves equals as they were", () => {
  const calls = [call([]), call(["large-value"]), call(["sensitive-file"]), call([], "new")]
  expect(calls.toSorted(byRisk)).toEqual([calls[2], calls[3], calls[1], calls[0]])
})
