import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compilePattern } from "./match-pattern.ts"

const plenty = (): { left: number } => ({ left: 1_000_000 })
const matches = (source: string, text: string): boolean => compilePattern(source)(text, plenty())

function regularExpression(source: string): RegExp | null {
  try {
    return new RegExp(source, "u")
  } catch {
    return null
  }
}

describe("a pattern", () => {
  it.each([
    ["^a+b?$", ["a", "aab", "ba", ""]],
    ["^(a|bc)*$", ["", "abca", "abcb", "bcbc"]],
    ["a{2,3}", ["a", "aa", "xaaay"]],
    ["^a{2}$", ["aa", "aaa"]],
    ["^a{2,}?$", ["a", "aaaa"]],
    ["[a-c\\]]+\\d", ["b]1", "x1"]],
    ["^[^/]*$", ["abc", "a/b"]],
    ["^\\p{Lu}\\p{L}*$", ["Über", "über", "É"]],
    ["\\bfoo\\b", ["a foo b", "food", "foo"]],
    ["\\Bo", ["foo", "o"]],
    ["^(?!.*\\.\\.)[\\w./]+$", ["a/b.c", "a/../b"]],
    ["^(?=.*\\d)(?=.*[a-z]).{3,}$", ["a1b", "abc", "1a"]],
    ["^(?<year>\\d{4})-(?:0[1-9]|1[0-2])$", ["2026-11", "2026-13"]],
    ["^\\u{1F600}|\\uD83D\\uDE01$", ["😀", "x😁", "x"]],
    ["^.$", ["😀", "\n", "ab"]],
    ["\\x41\\u0042\\cJ", ["AB\n", "AB"]],
    ["(a*)*b", ["aaab", "aaa"]],
    ["^(?:a?){3}$", ["", "aaa", "aaaa"]],
    ["^$", ["", "a"]],
    ["a|", ["", "b"]],
    ["[]", ["", "a"]],
    ["^[^]$", ["a", "\n"]],
    ["^\\/[\\-.]$", ["/-", "/."]],
    ["^[\\p{L}\\d-]$", ["é", "7", "-", "_", "p", "{"]],
    ["^[^\\P{Lu}A]$", ["A", "B", "b", "É"]],
    ["^\\P{L}$", ["a", "é", "1", "😀"]],
    ["^[\\S\\s]$", ["a", "\u2028", "😀"]],
    ["^.$", ["\r", "\u2028", "\u2029", "\u0085", "\ud83d"]],
    ["^[\\ud83d]$", ["\ud83d", "😀"]],
    ["^[\\ud83d\\ude00-\\u{1F610}]$", ["😀", "😅", "\ud83d", "🙀"]],
    ["^[\\b\\t\\0\\x41\\cJ]$", ["\b", "b", "\t", "\0", "A", "\n"]],
    ["^[+--]$", ["+", ",", "-", "."]],
    ["^[a-c-e]$", ["b", "-", "d", "e"]],
    ["^\\\\p$", ["\\p"]],
  ])("I2: %s says the same as the engine's matcher", (source, texts) => {
    for (const text of texts) expect(matches(source, text), text).toBe(new RegExp(source, "u").test(text))
  })

  it("I2: says the same as the engine's matcher, whatever it is made of", () => {
    const { source } = fc.letrec<{ source: string; atom: string }>((tie) => ({
      atom: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom("a", "b", ".", "\\w", "[ab]", "[^a]", "\\d", "é") },
        { weight: 2, arbitrary: fc.constantFrom("^", "$", "\\b", "\\B") },
        { weight: 2, arbitrary: tie("source").map((inner) => `(?:${inner})`) },
        { weight: 1, arbitrary: tie("source").map((inner) => `(?=${inner})`) },
        { weight: 1, arbitrary: tie("source").map((inner) => `(?!${inner})`) },
        { weight: 1, arbitrary: tie("source").map((inner) => `(${inner}|${inner}a)`) },
      ),
      source: fc
        .array(fc.tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,2}", "*?")), { maxLength: 4 })
        .map((parts) =>
          parts.map(([atom, times]) => (/^(?:[$^]|\\[bB]|\(\?[=!].*)$/su.test(atom) ? atom : atom + times)).join(""),
        ),
    }))
    const text = fc.array(fc.constantFrom("a", "b", "1", " ", "é", "\n"), { maxLength: 7 }).map((all) => all.join(""))
    fc.assert(
      fc.property(source, text, (pattern, tried) => {
        fc.pre(pattern.length < 200)
        expect(matches(pattern, tried)).toBe(new RegExp(pattern, "u").test(tried))
      }),
      { numRuns: 2_000 },
    )
  })

  it("I2: says the same as the engine's matcher of every kind of character", () => {
    const one = fc.constantFrom(
      "a",
      "Z",
      "_",
      "-",
      "^",
      "é",
      "😀",
      "\\-",
      "\\]",
      "\\^",
      "\\u00e9",
      "\\u{1F600}",
      "\\x41",
      "\\t",
      "\\b",
    )
    const set = fc.constantFrom("\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\p{Lu}", "\\P{Ll}", "\\p{scx=Greek}")
    const range = fc.constantFrom("a-f", "!-~", "\\0-\\x1f", "😀-😎", "\\u2000-\\u200a", "A-\\u{ff}")
    const body = fc.array(fc.oneof(one, set, range), { maxLength: 5 })
    const text = fc.oneof(
      fc.constantFrom(..."aZ_-^é😀]fF0\t\b\n\u2028\u00a0\ufeffῼ", "\ud83d", "\ude00"),
      fc.nat(0x2fff).map((code) => String.fromCodePoint(code)),
    )
    fc.assert(
      fc.property(body, fc.boolean(), fc.array(text, { minLength: 1, maxLength: 20 }), (items, isNegative, tried) => {
        const source = `^[${isNegative ? "^" : ""}${items.join("")}]$`
        const engine = regularExpression(source)
        fc.pre(engine !== null)
        for (const each of tried) expect(matches(source, each), JSON.stringify([source, each])).toBe(engine?.test(each))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ["^(a+)+$", `${"a".repeat(10_000)}!`],
    ["^(a|a)*$", `${"a".repeat(10_000)}!`],
    ["(a*)*(b*)*c", "ab".repeat(5_000)],
    ["(.*a){20}", "a".repeat(19).padEnd(2_000, "b")],
  ])("I1: %s takes steps in proportion to the text", (source, text) => {
    const test = compilePattern(source)
    const steps = (tried: string): number => {
      const work = plenty()
      test(tried, work)
      return 1_000_000 - work.left
    }
    expect(steps(text)).toBeLessThan(2.1 * steps(text.slice(0, text.length / 2)) + 1_000)
  })

  it("I1: is given up when the work is used up, lookaheads in lookaheads too", () => {
    const text = "a".repeat(5_000)
    for (const source of ["^(?:(?=.*(?=.*b)c)a)*$", ".*x"])
      expect(() => compilePattern(source)(text, { left: 4_000 })).toThrow("more work than is allowed")
  })

  it.each([
    "(?<=a)b",
    "(a)\\1",
    "(?<n>a)\\k<n>",
    "a{6000}",
    "((a{100}){100}){100}",
    "(?:(?:){100000}){100000}",
    "\\p{Nothing}",
    "\\p",
    "[\\p{L}-z]",
    "[\\p{L}",
    "(",
    "x".repeat(4_001),
    "(".repeat(200) + ")".repeat(200),
  ])("%.30s cannot be judged by", (source) => {
    expect(() => compilePattern(source)).toThrow(/pattern/)
  })
})
