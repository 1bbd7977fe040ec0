import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Condition } from "../rules/rule.ts"
import { keyOf } from "./argument-key.ts"
import { conditionText, conditionWords, hiddenOperands } from "./condition-words.ts"

describe("conditions in words", () => {
  it.each<{ condition: Condition; words: string; text?: string }>([
    { condition: { key: "path", op: "under", folder: "/x" }, words: 'path is under "/x"', text: 'path under "/x"' },
    { condition: { key: "path", op: "directlyIn", folders: ["/a", "/b"] }, words: 'path is directly in "/a" or "/b"' },
    { condition: { key: "path", op: "file", path: "/x/a.md" }, words: 'path is the file "/x/a.md"' },
    { condition: { key: "url", op: "host", patterns: ["*.a.example"] }, words: 'url is on the host "*.a.example"' },
    { condition: { key: "a.b-c_d", op: "atMost", value: 5 }, words: "a.b-c_d is at most 5" },
    { condition: { key: "*", op: "sensitive", value: false }, words: "no argument looks sensitive" },
    { condition: { key: "my key", op: "sensitive", value: true }, words: '"my key" looks sensitive' },
    { condition: { key: "*", op: "only", names: ["a", "b.*"] }, words: "no arguments but a, b.* are given" },
    { condition: { key: "*", op: "only", names: [] }, words: "no arguments are given", text: "* only nothing" },
    { condition: { key: "*", op: "only", names: ["nothing"] }, words: 'no arguments but "nothing" are given' },
    { condition: { key: "o", op: "only", names: ["a b"] }, words: 'o has nothing but "a b"' },
    { condition: { key: "o", op: "only", names: [] }, words: "o has nothing in it" },
    { condition: { key: "*", op: "equals", value: 1 }, words: '"*" is 1' },
    { condition: { key: "", op: "equals", value: 1 }, words: '"" is 1' },
    { condition: { key: "a\\.b.c", op: "equals", value: 1 }, words: '"a.b".c is 1' },
    {
      condition: { key: 'env.LANG is "C" and command', op: "equals", value: "ls" },
      words: String.raw`env."LANG is \"C\" and command" is "ls"`,
      text: String.raw`env."LANG is \"C\" and command" equals "ls"`,
    },
  ])("I1: $words", ({ condition, words, text }) => {
    expect(conditionWords([condition])).toBe(` when ${words}`)
    if (text !== undefined) expect(conditionText([condition])).toBe(` when ${text}`)
  })

  it("I2: spells out what is long to its end", () => {
    const value = `npm test ${" ".repeat(5_000)}*`
    expect(conditionWords([{ key: "command", op: "glob", pattern: value }])).toBe(` when command matches "${value}"`)
    expect(conditionText([{ key: "command", op: "equals", value }])).toBe(` when command equals "${value}"`)
    const list = conditionWords([{ key: "list", op: "equals", value: ["x".repeat(400)] }])
    expect(list).toBe(` when list is ["${"x".repeat(400)}"]`)
  })

  it("I3: has the values that are masked, each under its names", () => {
    const login = { user: "ann", password: "hunter2" }
    const when: readonly Condition[] = [
      { key: "env.API_TOKEN.value", op: "equals", value: "abc" },
      { key: "pin", op: "oneOf", values: [1, 2] },
      { key: "token", op: "glob", pattern: "abc" },
      { key: "login", op: "equals", value: login },
      { key: "token", op: "equals", value: null },
      { key: "mode", op: "equals", value: "a" },
    ]
    expect(hiddenOperands(when)).toEqual([
      { env: { API_TOKEN: { value: "abc" } } },
      { pin: [1, 2] },
      { token: "abc" },
      { login },
    ])
    expect(Object.keys(hiddenOperands([{ key: "__proto__.token", op: "equals", value: "x" }])[0] ?? {})).toEqual([
      "__proto__",
    ])
  })

  it("I1: nothing in a name or an operand ends its quotes, whatever it is", () => {
    const hostile = fc.string({ unit: fc.constantFrom("a", '"', "\\", " ", "is", ".", ",", "\n"), maxLength: 8 })
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 3 }), hostile, (names, value) => {
        const key = keyOf(names)
        for (const condition of [
          { key, op: "equals", value },
          { key, op: "oneOf", values: [value] },
          { key, op: "glob", pattern: value },
          { key, op: "under", folder: value },
          { key, op: "directlyIn", folders: [value] },
          { key, op: "file", path: value },
          { key, op: "host", patterns: [value] },
          { key, op: "only", names: [keyOf([value])] },
        ] as const) {
          expect(outsideQuotes(conditionText([condition]))).toMatch(/^ when [\w".-]+ \w+ [\w"-]+$/)
        }
      }),
    )
  })
})

/** A sentence with each quotation as `""`: what is ours in it. */
function outsideQuotes(sentence: string): string {
  return sentence.replace(/"(?:\\.|[^"\\]|\\(?=[^"\\]))*"/gs, '""')
}
