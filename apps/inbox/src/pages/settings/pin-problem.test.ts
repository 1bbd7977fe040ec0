import { expect, it } from "vitest"
import { pinProblem } from "./pin-problem.ts"

it.each([
  { pin: "12345", again: "12345", says: "at least six" },
  { pin: "123456", again: "123465", says: "do not match" },
])("says why $pin is not taken", ({ pin, again, says }) => {
  expect(pinProblem(pin, again)).toContain(says)
})

it("takes six characters given twice", () => {
  expect(pinProblem("123456", "123456")).toBe(null)
})
