import { type JsonObject, previewOf } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { argsLine, decisionWords, refusalInWords, tookInWords } from "./call-words.ts"

describe("a decision", () => {
  it.each([
    { call: { effect: "allow", allowedBy: "rule" } as const, words: "Allowed by a rule" },
    { call: { effect: "allow", allowedBy: "grant" } as const, words: "Allowed by permission" },
    { call: { effect: "allow", allowedBy: "mode" } as const, words: "Allowed by mode" },
    { call: { effect: "allow", allowedBy: "default" } as const, words: "Allowed by default" },
    { call: { effect: "ask", allowedBy: null } as const, words: "Needed approval" },
    { call: { effect: "deny", allowedBy: null } as const, words: "Denied by policy" },
    { call: { effect: "hide", allowedBy: null } as const, words: "Hidden" },
  ])("is said as $words", ({ call, words }) => {
    expect(decisionWords(call).words).toBe(words)
  })
})

it("puts arguments on one line and says that it is cut", () => {
  const line = (args: JsonObject) => argsLine({ preview: previewOf(args), argsBytes: 10 })
  expect(line({ deep: { n: 1 }, path: "a\nb" })).toBe("path: a b, deep: n: 1")
  expect(line({ text: "x".repeat(1_000) })).toMatch(/^text: x+…$/)
  expect(argsLine({ preview: null, argsBytes: 3_900_000 })).toBe("3.9 MB of arguments")
  expect(argsLine({ preview: null, argsBytes: null })).toBe("")
})

it("passes on a code it does not know", () => {
  expect(refusalInWords("denied-by-rule")).toBe("Denied by a rule")
  expect(refusalInWords("toString")).toBe("toString")
})

it.each([
  { ms: 12.4, words: "12 ms" },
  { ms: 1_250, words: "1.3 s" },
  { ms: 200_000, words: "3 min" },
])("says $words", ({ ms, words }) => {
  expect(tookInWords(ms)).toBe(words)
})
