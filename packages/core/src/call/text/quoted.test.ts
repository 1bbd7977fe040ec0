import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import { quoted, shownJson, shownName, unambiguousJson } from "./quoted.ts"

describe("a text in quotes", () => {
  it.each([
    { text: "path", shown: '"path"' },
    { text: String.raw`C:\Users\me`, shown: String.raw`"C:\Users\me"` },
    { text: 'a" is safe. "', shown: String.raw`"a\" is safe. \""` },
    { text: String.raw`a\" is safe`, shown: String.raw`"a\\\" is safe"` },
    { text: "a\\", shown: String.raw`"a\\"` },
    { text: "a\u2033b\u05f4", shown: '"a\\\u2033b\\\u05f4"' },
    { text: "don't", shown: `"don't"` },
    { text: "it''s", shown: String.raw`"it\'\'s"` },
    { text: "`´′ ‘a’", shown: '"\\`\\´\\′ ‘a’"' },
    { text: "a'\u0301'", shown: "\"a\\'\u0301\\'\"" },
    { text: String.raw`a\'\'`, shown: String.raw`"a\\\'\\\'"` },
    { text: "a\u202eb", shown: '"a⟨U+202E⟩b"' },
    { text: "x".repeat(201), shown: `"${"x".repeat(200)}…"` },
  ])("is $shown", ({ text, shown }) => expect(quoted(text)).toBe(shown))

  it("ends where its quotes end, and differs from any other", () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', "'", "’", "\u2033", "\u{1f677}", "\\"), maxLength: 8 })
    fc.assert(fc.property(text, (text) => read(quoted(text)) === text))
  })

  it("takes no longer than it is long", () => {
    for (const part of ["'\u0301", "'\\", "\\", "\u0301", "''\\", '\\"']) {
      const text = part.repeat(100_000)
      expect(growthOf((whole) => quoted(`'${whole}x`, Number.POSITIVE_INFINITY), text)).toBeLessThan(3)
    }
  })
})

it("a name that could pass for words of ours stands in quotes", () => {
  expect(shownName("files(write_file)")).toBe("files(write_file)")
  expect(shownName("t(x) was checked")).toBe('"t(x) was checked"')
})

it.each([String.raw`C:\a\b.md`, "docs/[a-z]*.{md}", "@scope/x@1.2", "github__get?", "$HOME/~a"])(
  "%s is one word",
  (name) => expect(shownName(name)).toBe(name),
)

it.each(["", "a,b", "a;b", "don't", "a`b", "a b", "a\tb", "检查过", "caf\u00e9", "a\u2033", "<b>", "a|b"])(
  "%j is quoted as a name",
  (name) => expect(shownName(name)).toMatch(/^".*"$/),
)

it("JSON of a text ends where its quotes end, whatever is in it", () => {
  expect(shownJson({ "a''": ["b\u2033", "'", "'"] })).toBe(String.raw`{"a\'\'":["b\″","'","'"]}`)
  expect(unambiguousJson("a\u202e\u2033")).toBe('"a\u202e\\\u2033"')
})

/** Reads quoted text back: the quotes end at the first mark that no backslash escapes. Null: they end early. */
function read(shown: string): string | null {
  const mark = /["\u2033\u{1f677}]|['’](?:\\*['’])+/u
  const marks = new RegExp(String.raw`(?<!\\)\\*(?:${mark.source})|(?<!\\)\\+$`, "gu")
  const inside = shown.slice(1, -1)
  const text = inside.replace(marks, (found) => found.replace(/\\(.)/gu, "$1"))
  const endsEarly = /["\u2033\u{1f677}]|['’]{2}/u.test(inside.replace(/\\./gsu, "x"))
  return endsEarly ? null : text
}
