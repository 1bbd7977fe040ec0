import { expect, it } from "vitest"
import { createLiveRedactor } from "./live-redactor.ts"

it("I1: takes out what it has learned; the secrets of a file that is not in force only of what is shown of that file", () => {
  const redactor = createLiveRedactor()
  redactor.learn(["in force"])
  const mask = redactor.besides(["DROP TABLE"])
  expect(mask("in force, DROP TABLE")).toBe("‹secret, 8 characters›, ‹secret, 10 characters›")
  expect(redactor.redactText("in force, DROP TABLE")).toBe("‹secret, 8 characters›, DROP TABLE")
  redactor.learn(["later on"])
  expect(mask("later on")).toBe("‹secret, 8 characters›")
  expect(redactor.redactText("DROP TABLE")).toBe("DROP TABLE")
})
