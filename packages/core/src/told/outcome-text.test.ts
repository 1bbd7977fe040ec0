import { expect, it } from "vitest"
import { noteTexts, refusalText, ticketText, unknownText } from "./outcome-text.ts"

const denied = { by: "policy", code: "denied-by-rule", reason: "Not here" } as const

it("says where people decide, where that is known", () => {
  expect(refusalText(denied, { name: "files(a)" })).toMatch(/who can change what is allowed\.$/)
  expect(refusalText(denied, { name: "files(a)", inbox: "http://x/" })).toMatch(/allowed at http:\/\/x\/\.$/)
  expect(ticketText({ name: "files(a)" })).toContain("tell the user to decide. Once it is approved")
})

it("I1: shows control characters of names escaped", () => {
  const name = "files(a\u001b[2J)"
  for (const text of [refusalText(denied, { name }), ticketText({ name }), unknownText("Cut off.", { name })]) {
    expect(text).not.toContain("\u001b")
  }
})

it("I2: never says of what nobody can tell that it did not run", () => {
  expect(unknownText("Cut off.", { name: "files(a)" })).toContain("It may or may not have taken effect")
})

it("has a sentence for each note that changes what a result means", () => {
  expect(noteTexts(["edited", "run-by-reviewer"])).toHaveLength(2)
  expect(noteTexts(["delivered-late"])).toEqual([])
})
